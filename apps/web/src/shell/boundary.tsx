import { Component, lazy, type ReactNode, Suspense } from 'react'
import type { Failure } from '#domain/failure.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import styles from './app.module.css'

const StartActions = lazy(() => import('./storage/start-actions.tsx').then((m) => ({ default: m.StartActions })))

/** Where not even the frame can be drawn, a row may be what no version of the app would write. */
const BROKEN: Failure = { code: 'storage-damaged', message: 'The app cannot show what is stored.' }

interface BoundaryProps {
  children: ReactNode
  /** The place that is shown: at another, nothing has broken yet. */
  at?: string
}

/** What browsers say of a file of the app that did not come: its server is gone, or has another version by now. */
const NOT_LOADED = /dynamically imported module|importing a module script failed/i

/** A screen that broke says so, beside a frame that still works. */
export class Boundary extends Component<BoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate({ at }: BoundaryProps): void {
    if (at !== this.props.at && this.state.error) this.setState({ error: undefined })
  }

  readonly forget = (): void => this.setState({ error: undefined })

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    if (NOT_LOADED.test(error.message)) {
      return (
        <div className={styles.cannotStart}>
          <Notice
            tone="bad"
            title="This part of the app did not load"
            actions={<Button onClick={() => location.reload()}>Reload the page</Button>}
          >
            Your data is as it was. See whether what serves this app (npm start) still runs, then reload.
          </Notice>
        </div>
      )
    }
    return (
      <div className={styles.cannotStart}>
        <Notice
          tone="bad"
          title="This screen broke"
          actions={
            <>
              <Button onClick={this.forget}>Show it again</Button>
              {this.props.at === undefined && (
                <Suspense>
                  <StartActions why={BROKEN} actions={['save', 'anew']} onBegun={this.forget} />
                </Suspense>
              )}
            </>
          }
        >
          Your data is as it was. What happened: {error.message}
        </Notice>
      </div>
    )
  }
}
