import type { ToolCall } from '#domain/tool-call.ts'
import { failureOf } from '#domain/failure.ts'
import { visibleText } from '#lib/visible-text.ts'
import { describeCall } from '#ui/call/describe-call.ts'
import { RawMessages } from '#ui/call/raw-messages.tsx'
import { RunningCall } from '#ui/call/running-call.tsx'
import { TaskProgress } from '#ui/call/task-progress.tsx'
import { task as taskById } from '#storage/live.ts'
import { classNames } from '#ui/class-names.ts'
import { Explained } from '#ui/explained.tsx'
import { Icon } from '#ui/icon.tsx'
import { MediaOf, ResultView } from '#ui/result/result-view.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { useTaskDeeds } from '#wiring/use-task-deeds.ts'
import { CallQuestions } from './call-questions.tsx'
import styles from './call-result.module.css'

/** What came of a call, or what is coming of it. */
export function CallResult({ call, onAgain, onReload }: { call: ToolCall; onAgain: () => void; onReload: () => void }) {
  const engine = useEngine()
  const { state, icon, word, facts } = describeCall(call)
  const cancel = () =>
    engine.cancelCall({ toolCallId: call.id }).catch((error: unknown) => {
      const { title, text } = explain(failureOf(error))
      showToast(`${title}. ${text}`)
      throw error
    })
  const isOpen = state === 'running' || call.status === 'pending' || call.status === 'asking'
  return (
    <div className={styles.result}>
      <p className={classNames(styles.line, styles[state])} role="status">
        <Icon name={icon} size={16} />
        <span>
          <strong>{word}</strong>
          {facts.filter((fact) => fact !== word && !fact.startsWith('allowed')).map((fact) => ` · ${fact}`)}
        </span>
      </p>
      {isOpen && <RunningCall call={call} onCancel={cancel} />}
      {state === 'task' && <TaskOfCall taskId={call.taskId ?? ''} />}
      <CallQuestions toolCallId={call.id} />
      {call.error && <CallError call={call} onAgain={onAgain} onReload={onReload} />}
      {(call.content || call.structuredContent !== undefined) && (
        <>
          <ResultView content={call.content ?? []} structured={call.structuredContent} />
          <MediaOf content={call.content ?? []} />
        </>
      )}
      {!isOpen && state !== 'task' && (
        <RawMessages heading="h4" load={() => engine.rawMessages({ toolCallId: call.id })} />
      )}
    </div>
  )
}

function CallError({ call, onAgain, onReload }: { call: ToolCall; onAgain: () => void; onReload: () => void }) {
  if (!call.error) return null
  const { title, text, action, serverError } = explain(call.error, { serverId: call.serverId })
  // The tool's own words on its failure are the result, which is shown below; a stopped call needs no next step.
  if (call.error.code === 'tool-failed' && call.content)
    return <p className={styles.note}>{visibleText(call.serverName)} reports that it failed. Its answer:</p>
  if (call.error.code === 'stopped') return <p className={styles.note}>{text}</p>
  if (call.error.code === 'tool-gone')
    return (
      <Explained
        title={title}
        text={text}
        serverError={serverError}
        action={{ label: 'Load it anew', command: 'toolDefinition' }}
        onAct={onReload}
      />
    )
  const again = action && 'command' in action
  return (
    <Explained
      title={title}
      text={text}
      serverError={serverError}
      action={again ? { label: 'Run again', command: 'tryTool' } : action}
      onAct={onAgain}
    />
  )
}

function TaskOfCall({ taskId }: { taskId: string }) {
  const task = useLive((db) => taskById(db, taskId), [taskId])
  const deeds = useTaskDeeds({ id: taskId, toolCallId: taskId }, showToast)
  return task ? <TaskProgress task={task} deeds={deeds} /> : null
}
