import { useEffect, useMemo, useRef, useState } from 'react'
import type { CustomToolInput } from '#domain/custom-tool.ts'
import type { Server } from '#domain/server.ts'
import { durationInWords } from '#lib/in-words.ts'
import { initialValue } from '#lib/json-schema/initial-value.ts'
import { fileSize } from '#lib/file-size.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Notice } from '#ui/notice.tsx'
import { MediaOf, ResultView } from '#ui/result/result-view.tsx'
import { SchemaForm } from '#ui/schema-form/schema-form.tsx'
import type { Commands } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './custom-tools.module.css'
import { previewRequest } from './preview-request.ts'
import { ShownRequest } from './shown-request.tsx'

type Trial = ReturnType<Commands['testCustomTool']>

/** Calls a tool as it stands in the editor, saved or not, and shows both sides of it. */
export function TestCall({ tool, server, isUsable }: { tool: CustomToolInput; server: Server; isUsable: boolean }) {
  const engine = useEngine()
  const [args, setArgs] = useState<Record<string, unknown>>(() => initialValue(tool.inputSchema))
  const [problem, setProblem] = useState<string>()
  const [trial, setTrial] = useState<{ trial: Trial; ms: number }>()
  const { run, isBusy, failure } = useDeed()
  const testId = useRef<string>(undefined)
  // Whoever leaves does not want it any more.
  useEffect(
    () => () => {
      if (testId.current !== undefined) void engine.stopCustomToolTest({ testId: testId.current }).catch(() => {})
    },
    [engine],
  )
  const known = useMemo(() => argumentsIn(tool, args), [tool, args])
  const preview = isUsable ? previewRequest(tool, known, server) : undefined
  const send = () => {
    const began = performance.now()
    testId.current = crypto.randomUUID()
    setTrial(undefined)
    void run(() =>
      engine.testCustomTool({
        serverId: server.id,
        tool,
        arguments: JSON.stringify(known),
        testId: testId.current ?? '',
      }),
    ).then((done) => {
      testId.current = undefined
      if (done) setTrial({ trial: done, ms: performance.now() - began })
    })
  }
  const stop = () => {
    if (testId.current !== undefined) void engine.stopCustomToolTest({ testId: testId.current })
  }
  return (
    <div className={styles.sides}>
      <div className={styles.stack}>
        <SchemaForm
          schema={tool.inputSchema}
          value={args}
          onChange={setArgs}
          onProblem={setProblem}
          label="Arguments of the test"
        />
        {preview && 'request' in preview && <ShownRequest request={preview.request} label="What will be sent" />}
        {preview && 'request' in preview && preview.isStrange && (
          <p className={styles.soft}>This is not the origin of the collection, so its key is not sent there.</p>
        )}
        {preview && 'problem' in preview && <p className={styles.soft}>Nothing to send yet: {preview.problem}</p>}
        {!isUsable && <p className={styles.soft}>Nothing to send yet: see what is marked above.</p>}
        <div className={styles.actions}>
          <Button
            icon="play"
            busy={isBusy}
            disabled={!isUsable || problem !== undefined || (preview && 'problem' in preview)}
            onClick={send}
          >
            {isBusy ? 'Waiting…' : 'Send it now'}
          </Button>
          {isBusy && <Button onClick={stop}>Stop</Button>}
        </div>
      </div>
      <div className={styles.stack} aria-live="polite">
        {failure && <Explained {...explain(failure)} action={undefined} />}
        {trial ? (
          <TrialView trial={trial.trial} ms={trial.ms} />
        ) : (
          !failure && (
            <p className={styles.soft}>
              {isBusy
                ? 'Waiting for the answer…'
                : 'The answer will stand here. It is a real call: what it changes is changed.'}
            </p>
          )
        )}
      </div>
    </div>
  )
}

/** What was entered for arguments that are gone by now is not sent. */
function argumentsIn({ inputSchema }: CustomToolInput, args: Record<string, unknown>): Record<string, unknown> {
  const { properties, additionalProperties } = inputSchema
  if (typeof properties !== 'object' || properties === null || additionalProperties !== undefined) return args
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)))
}

function TrialView({ trial: { status, outcome, failure }, ms }: { trial: Trial; ms: number }) {
  if (failure) {
    const { title, text } = explain(failure)
    return (
      <Notice tone={failure.code === 'outcome-unknown' ? 'warn' : 'bad'} title={title}>
        {text}
      </Notice>
    )
  }
  if (!outcome) return null
  return (
    <section className={styles.stack} aria-label="Answer of the test">
      <p className={styles.facts}>
        <Badge tone={outcome.isError ? 'bad' : 'good'}>HTTP {status}</Badge>
        <span className={styles.soft}>
          {durationInWords(ms)} · {fileSize(outcome.size)}
        </span>
      </p>
      <MediaOf content={outcome.content} />
      <ResultView content={outcome.content} structured={outcome.structuredContent} />
    </section>
  )
}
