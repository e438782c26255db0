import { useCallback, useEffect, useState } from 'react'
import type { Attachment } from '#domain/message.ts'
import { draftAttachments } from '#storage/live.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { sayFailure } from '../say-failure.ts'

const NONE: readonly Attachment[] = []

const handed = new Map<string, readonly Attachment[]>()

/** Gives attachments to the next field of this draft, before they are stored: what is added there is added to them. */
export const handOver = (id: string, attachments: readonly Attachment[]): void => void handed.set(id, attachments)

/** What goes with the words of a draft: it survives a reload, like they do. */
export function useAttachments(id: string) {
  const engine = useEngine()
  const stored = useLive((db) => draftAttachments(db, id), [id])
  const [held, hold] = useState(() => handed.get(id))
  useEffect(() => void handed.delete(id), [id])
  const set = useCallback(
    (attachments: readonly Attachment[]) => {
      hold(attachments)
      engine.saveAttachments({ id, attachments: [...attachments] }).catch(sayFailure)
    },
    [engine, id],
  )
  return { attachments: held ?? stored ?? NONE, hold, set }
}
