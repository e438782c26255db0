import type { Question } from '#domain/question.ts'

const ACTIONS = { accepted: 'accept', declined: 'decline' } as const

/** What the server is told. Undefined where it asked for a model and gets none: there are no words for that. */
export function answerOf({ kind, state, answer, sampling }: Question): Record<string, unknown> | undefined {
  if (kind === 'sampling') {
    if (state !== 'accepted' || !sampling?.answer) return undefined
    const { text, model } = sampling.answer
    return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' }
  }
  const action = state === 'accepted' || state === 'declined' ? ACTIONS[state] : 'cancel'
  return action === 'accept' && kind === 'form' ? { action, content: answer ?? {} } : { action }
}
