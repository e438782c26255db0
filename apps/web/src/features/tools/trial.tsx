import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { FoundTool, Server } from '#domain/server.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { initialValue } from '#lib/json-schema/initial-value.ts'
import { isRecord } from '#lib/json-schema/schema.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { callsByHand, toolCall } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Notice } from '#ui/notice.tsx'
import { SchemaForm } from '#ui/schema-form/schema-form.tsx'
import type { FaultPlace } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { CallHistory } from './call-history.tsx'
import { CallResult } from './call-result.tsx'
import { CurlPanel } from './curl-panel.tsx'
import styles from './trial.module.css'

type Values = Record<string, unknown>
const NONE: readonly FaultPlace[] = []
const FIRST_SHOWN = 10

/** The form of a tool beside what came of it, and what was tried before. */
export function Trial({
  server,
  found,
  schema,
  onReload,
}: {
  server: Server
  found: FoundTool
  schema: unknown
  onReload: () => void
}) {
  const engine = useEngine()
  const checking = useDeed()
  const starting = useDeed()
  const isBusy = checking.isBusy || starting.isBusy
  const failure = checking.failure ?? starting.failure
  const place = useMemo(() => ({ serverId: server.id, toolName: found.name }), [server.id, found.name])
  const [value, setValue] = useState<Values>(() => initialValue(schema))
  const [unfinished, setUnfinished] = useState<string>()
  const [faults, setFaults] = useState(NONE)
  const [toConfirm, setToConfirm] = useState<Values>()
  const [callId, setCallId] = useState<string>()
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const form = useRef<HTMLElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)

  const history = useLive((db) => callsByHand(db, { ...place, limit: limit + 1 }), [place, limit])
  const chosen = useLive(async (db) => (callId === undefined ? undefined : toolCall(db, callId)), [callId])
  // One that was begun before this screen was opened can be watched, and ended.
  const underWay = history?.find(({ status }) => status === 'running' || status === 'pending' || status === 'asking')
  const shown = callId === undefined ? underWay : (chosen ?? history?.find(({ id }) => id === callId))
  // What came of it stays in sight.
  const watched = callId ?? underWay?.id
  useEffect(() => setCallId(watched), [watched])

  useEffect(() => {
    if (faults.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [faults])
  useEffect(() => {
    if (toConfirm) confirm.current?.focus()
  }, [toConfirm])

  const change = (next: Values) => {
    setValue(next)
    setFaults(NONE)
    setToConfirm(undefined)
    // What is found out about other arguments than these says nothing.
    checking.letGo()
    starting.forget()
  }
  const start = async (given: Values) => {
    setToConfirm(undefined)
    const started = await starting.run(() =>
      engine.tryTool({ ...place, fingerprint: found.fingerprint, arguments: JSON.stringify(given) }),
    )
    if (started) setCallId(started.toolCallId)
  }
  const check = async (given: Values) => {
    if (isBusy) return
    setFaults(NONE)
    starting.forget()
    await checking.run(async (isWanted) => {
      const wrong = await engine.checkArguments({ ...place, arguments: JSON.stringify(given) })
      if (!isWanted()) return
      setFaults(wrong)
      if (wrong.length > 0) return
      if (found.annotations.destructive && !found.annotations.readOnly) setToConfirm(given)
      else await start(given)
    })
  }
  const submit = () => {
    if (unfinished === undefined) void check(value)
    else setFaults([{ path: '', message: unfinished }])
  }
  const put = (call: ToolCall) => {
    const given: unknown = JSON.parse(call.arguments)
    const values = isRecord(given) ? given : {}
    change(values)
    form.current?.scrollIntoView({ block: 'nearest' })
    return values
  }
  const replay = (call: ToolCall) => {
    // The second of two clicks would let go what the first began.
    if (!isBusy) void check(put(call))
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  const whole = faults.filter(({ path }) => path === '')
  return (
    <>
      <div className={styles.bench}>
        <section ref={form} className={styles.part} aria-label="Arguments" onKeyDown={hear}>
          <SchemaForm
            schema={schema}
            value={value}
            onChange={change}
            faults={faults}
            label="Arguments"
            onProblem={setUnfinished}
          />
          {faults.length > 0 && (
            <Notice tone="bad" title={`Nothing was sent: ${plural(faults.length, 'thing')} to correct`}>
              {whole.map(({ message }) => visibleText(message)).join(' ')}
            </Notice>
          )}
          {failure && (
            <Explained
              {...explain(failure, { serverId: server.id })}
              {...(failure.code === 'tool-gone' && { action: { label: 'Load it anew', command: 'toolDefinition' } })}
              onAct={onReload}
            />
          )}
          {toConfirm && (
            <Notice
              tone="warn"
              title={`${visibleText(server.name)} claims: destructive. Run it?`}
              actions={
                <>
                  <Button ref={confirm} look="danger" busy={isBusy} onClick={() => void start(toConfirm)}>
                    Run it
                  </Button>
                  <Button onClick={() => setToConfirm(undefined)}>Don’t</Button>
                </>
              }
            >
              It may destroy something, and there may be no way back.
            </Notice>
          )}
          <div className={styles.actions}>
            <Button look="primary" icon="play" busy={isBusy} onClick={submit} title="Ctrl Enter, or ⌘ Enter">
              Run
            </Button>
            <CurlPanel place={place} text={() => JSON.stringify(value)} />
          </div>
        </section>
        <section className={styles.part} aria-label="Result">
          <h3>Result</h3>
          {shown ? (
            <CallResult key={shown.id} call={shown} onAgain={() => replay(shown)} onReload={onReload} />
          ) : (
            <p className={styles.soft}>What the tool answers will be here. Run it with Ctrl Enter, or ⌘ Enter.</p>
          )}
        </section>
      </div>
      {history && (
        <CallHistory
          calls={history.slice(0, limit)}
          hasMore={history.length > limit}
          onMore={() => setLimit(limit + 20)}
          place={place}
          onReplay={replay}
          onPut={put}
        />
      )}
    </>
  )
}
