import { useCallback, useEffect, useRef, useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { toolCall } from '#storage/live.ts'
import { useLive } from '#wiring/use-live.ts'

const OVER: readonly ToolCall['status'][] = ['success', 'error', 'cancelled', 'unknown']

/** Calls that a screen asked for and that run: each is waited for until storage has what came of it. */
export function useScreenCalls(): { made: number; untilOver: (toolCallId: string) => Promise<ToolCall> } {
  const [running, setRunning] = useState<readonly string[]>([])
  const [made, setMade] = useState(0)
  const waiting = useRef(new Map<string, (call: ToolCall) => void>())
  const rows = useLive((db) => Promise.all(running.map((id) => toolCall(db, id))), [running.join()])
  useEffect(() => {
    const over = (rows ?? []).filter((call) => call !== undefined).filter(({ status }) => OVER.includes(status))
    if (over.length === 0) return
    for (const call of over) {
      waiting.current.get(call.id)?.(call)
      waiting.current.delete(call.id)
    }
    setRunning((ids) => ids.filter((id) => !over.some((call) => call.id === id)))
  }, [rows])
  const untilOver = useCallback(
    (toolCallId: string) =>
      new Promise<ToolCall>((resolve) => {
        waiting.current.set(toolCallId, resolve)
        setRunning((ids) => [...ids, toolCallId])
        setMade((count) => count + 1)
      }),
    [],
  )
  return { made, untilOver }
}

/** What a screen is told of a call. */
export function resultOf({ content, structuredContent, isError, error }: ToolCall): Record<string, unknown> {
  if (!content) throw new Error(error?.message ?? 'There is no result.')
  return { content, ...(structuredContent !== undefined && { structuredContent }), isError: isError === true }
}
