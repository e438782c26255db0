import type { Database } from './db.ts'
import type { createQuestions } from './questions.ts'

type Questions = ReturnType<typeof createQuestions>

const NAMES = [
  'question',
  'questionsOf',
  'questionsSince',
  'openSignIns',
  'putQuestions',
  'ask',
  'changeQuestion',
  'noteTold',
  'settleQuestion',
  'endQuestions',
  'untilAnswered',
] as const satisfies (keyof Questions)[]

/** The questions of servers, loaded when a call is first made: nobody is asked anything before. */
export function createQuestionsLater(db: Database): Questions {
  const load = async () => (await import('./questions.ts')).createQuestions(db)
  const later = NAMES.map((name) => [
    name,
    async (...given: unknown[]) => ((await load())[name] as (...given: unknown[]) => unknown)(...given),
  ])
  return Object.fromEntries(later) as Questions
}
