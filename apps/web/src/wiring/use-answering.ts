import { useMemo, useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import { initialValue } from '#lib/json-schema/initial-value.ts'
import type { QuestionAnswer } from './commands.ts'
import { useDeed } from './use-deed.ts'
import { useDraft } from './use-draft.ts'
import { useEngine } from './use-engine.ts'

type Value = Record<string, unknown>

const draftOf = (questionId: string) => `question:${questionId}`

export interface Answering {
  /** What is entered so far; undefined until it is known what was entered before a reload. */
  value: Value | undefined
  setValue: (value: Value) => void
  /** What keeps it from being sent, each at its field. */
  faults: { path: string; message: string }[]
  failure: Failure | undefined
  isBusy: boolean
  answer: (action: QuestionAnswer['action']) => void
  /** Lets the model answer what the server wants read. */
  sample: () => void
}

/** Answering one question of a server. What is typed survives a reload. */
export function useAnswering({ id, schema, sampling }: Question): Answering {
  const engine = useEngine()
  const { isBusy, failure, run } = useDeed()
  const { text, setText, forget } = useDraft(draftOf(id))
  const [isAnswered, setAnswered] = useState(false)
  const [faults, setFaults] = useState<Answering['faults']>([])
  const value = useMemo(
    () => (text === undefined ? undefined : (readDraft(text) ?? initialValue(schema ?? {}, { defaults: true }))),
    [text, schema],
  )
  const setValue = (next: Value) => setText(JSON.stringify(next))
  const seen = sampling?.answer?.text
  const answer = (action: QuestionAnswer['action']) =>
    void run(async () => {
      const content = action === 'accept' && value ? { content: value } : {}
      const told = await engine.answerQuestion({ questionId: id, action, seen, ...content })
      setFaults(told.faults)
      if (told.faults.length > 0) return
      // The card goes with its row; until then a second answer would be told that nobody waits for it.
      setAnswered(true)
      forget()
      // Nobody needs it any more; what is left behind goes with the conversation.
      await engine.saveDraft({ id: draftOf(id), text: '' }).catch(() => {})
    })
  const sample = () => void run(() => engine.draftSample({ questionId: id, seen }))
  return { value, setValue, faults, failure, isBusy: isBusy || isAnswered, answer, sample }
}

function readDraft(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
