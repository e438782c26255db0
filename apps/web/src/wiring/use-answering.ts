import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import { initialValue } from '#lib/json-schema/initial-value.ts'
import { draft as draftOf } from '#storage/live.ts'
import type { QuestionAnswer } from './commands.ts'
import { useDeed } from './use-deed.ts'
import { useEngine } from './use-engine.ts'
import { useLive } from './use-live.ts'

type Value = Record<string, unknown>

const SAVE_AFTER_MS = 300

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
export function useAnswering({ id, schema }: Question): Answering {
  const engine = useEngine()
  const { isBusy, failure, run } = useDeed()
  const draftId = `question:${id}`
  const stored = useLive((db) => draftOf(db, draftId), [draftId])
  const [typed, setTyped] = useState<Value>()
  const [faults, setFaults] = useState<Answering['faults']>([])
  const unsaved = useRef<{ text: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const begun = useMemo(() => readDraft(stored) ?? initialValue(schema ?? {}, { defaults: true }), [stored, schema])

  const save = useCallback(() => {
    if (!unsaved.current) return
    const { text, timer } = unsaved.current
    clearTimeout(timer)
    unsaved.current = undefined
    // What could not be saved is still on the screen.
    engine.saveDraft({ id: draftId, text }).catch(() => {})
  }, [engine, draftId])
  useEffect(() => {
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      save()
    }
  }, [save])

  const value = typed ?? (stored === undefined ? undefined : begun)
  const setValue = (next: Value) => {
    setTyped(next)
    clearTimeout(unsaved.current?.timer)
    unsaved.current = { text: JSON.stringify(next), timer: setTimeout(save, SAVE_AFTER_MS) }
  }
  const answer = (action: QuestionAnswer['action']) =>
    void run(async () => {
      const content = action === 'accept' && value ? { content: value } : {}
      const told = await engine.answerQuestion({ questionId: id, action, ...content })
      setFaults(told.faults)
      if (told.faults.length > 0) return
      clearTimeout(unsaved.current?.timer)
      unsaved.current = undefined
      // Nobody needs it any more; what is left behind goes with the conversation.
      await engine.saveDraft({ id: draftId, text: '' }).catch(() => {})
    })
  const sample = () => void run(() => engine.draftSample({ questionId: id }))
  return { value, setValue, faults, failure, isBusy, answer, sample }
}

function readDraft(text: string | undefined): Value | undefined {
  if (!text) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
