import type { Server } from '#domain/server.ts'
import { Explained } from '#ui/explained.tsx'
import { explain } from '#wiring/explain.ts'
import { type Change, Doctor } from './diagnosis.tsx'
import { requestOf } from './server-draft.ts'
import styles from './servers.module.css'
import { SignIn } from './sign-in.tsx'
import { TestSteps } from './test-steps.tsx'
import type { ServerEditor } from './use-server-editor.ts'

/** How far a test got, and what helps where it got no further. */
export function TestResult({
  editor,
  server,
  apply,
}: {
  editor: ServerEditor
  server: Server | undefined
  /** Takes over what the doctor found, where it stands on the screen. */
  apply: (change: Change) => void
}) {
  const { testing, draft, signIn, test, keep, saveFailure } = editor
  const { report, isBusy, isAsked } = testing
  const failure = saveFailure ?? testing.failure ?? (signIn ? undefined : report?.failure)
  const { server: asked } = requestOf(draft)
  return (
    <>
      {isBusy && (
        <p className={styles.soft} role="status">
          Looking…
        </p>
      )}
      {report && <TestSteps steps={report.steps} />}
      {failure && <Explained {...explain(failure)} action={undefined} />}
      {signIn && (
        <SignIn
          serverName={asked.name}
          offer={signIn}
          // What was found without it, or is being looked for, counts no more.
          {...((report ?? isBusy) && { onSignedIn: test })}
          {...(!server && { beforeLeaving: keep })}
        />
      )}
      {report?.failure && !signIn && (
        <Doctor
          subject={{ server: asked }}
          failure={report.failure}
          isAsked={isAsked}
          apply={apply}
          connect={editor.testWith}
          retry={test}
        />
      )}
    </>
  )
}
