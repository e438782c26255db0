import { useState } from 'react'
import { allDomains, type AppDomains } from '#domain/app-domains.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { ActionButton, Actions } from '#ui/decision.tsx'
import { Icon } from '#ui/icon.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { FailureNotice } from '../failure-notice.tsx'
import styles from './app-screen.module.css'
import { ScreenFrame } from './screen-frame.tsx'

type Stage =
  | { is: 'folded'; why?: string }
  | { is: 'asking'; wishes: AppDomains; refused: string[] }
  | { is: 'open'; screenId: string; url: string }

/**
 * The screen that a tool brought along. Nothing of it is loaded before somebody asks for it, and what is shown then is in a
 * frame with our words around it: whose it is cannot be drawn over.
 */
export function AppScreen({ call }: { call: ToolCall }) {
  const engine = useEngine()
  const hasCompanion = useEngineState(({ companion }) => companion === 'present')
  const { isBusy, failure, run } = useDeed()
  const [stage, setStage] = useState<Stage>({ is: 'folded' })
  const toolCallId = call.id
  const server = <strong>{visibleText(call.serverName)}</strong>

  const open = (isAllowed: boolean) =>
    run(async () => setStage({ is: 'open', ...(await engine.openApp({ toolCallId, isAllowed })) }))
  const show = () => {
    // Why the last one was closed is not said of this one.
    setStage({ is: 'folded' })
    return run(async () => {
      const { wishes, refused } = await engine.readApp({ toolCallId })
      if (allDomains(wishes).length > 0) return setStage({ is: 'asking', wishes, refused })
      setStage({ is: 'open', ...(await engine.openApp({ toolCallId, isAllowed: false })) })
    })
  }

  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <Icon name="external" size={16} />
        <span className={styles.whose}>
          {stage.is === 'open' ? (
            <>Screen of {server}: what it shows comes from there, not from Switchboard</>
          ) : (
            <>A screen of {server}</>
          )}
        </span>
        {stage.is === 'open' && (
          <IconButton small icon="close" label="Close the screen" onClick={() => setStage({ is: 'folded' })} />
        )}
      </header>
      {failure && <FailureNotice failure={failure} serverId={call.serverId} />}
      {stage.is === 'folded' && stage.why && <p className={styles.note}>It was closed. {stage.why}</p>}
      {stage.is === 'folded' &&
        (hasCompanion ? (
          <div className={styles.buttons}>
            <Button small busy={isBusy} onClick={() => void show()}>
              Show the screen
            </Button>
          </div>
        ) : (
          <p className={styles.note}>
            Screens are shown by the companion, apart from this app. Start it (npm start) and open the address that it
            prints.
          </p>
        ))}
      {stage.is === 'asking' && (
        <section className={styles.request} aria-label="Where the screen wants to go">
          <p>It wants to exchange data with these addresses, and can tell them what it shows:</p>
          <ul className={styles.domains}>
            {allDomains(stage.wishes).map((domain) => (
              <li key={domain}>
                <code>{visibleText(domain)}</code>
                {domain.includes('*') && ' (and everything below it)'}
              </li>
            ))}
          </ul>
          {stage.refused.length > 0 && (
            <p className={styles.note}>Not possible in any case: {stage.refused.map(visibleText).join(', ')}</p>
          )}
          <Actions className={styles.buttons}>
            <ActionButton look="primary" busy={isBusy} onClick={() => void open(true)}>
              Allow these and show it
            </ActionButton>
            <ActionButton busy={isBusy} onClick={() => void open(false)}>
              Show it without
            </ActionButton>
            <ActionButton refuses look="quiet" onClick={() => setStage({ is: 'folded' })}>
              Cancel
            </ActionButton>
          </Actions>
        </section>
      )}
      {stage.is === 'open' && (
        <ScreenFrame
          key={stage.screenId}
          call={call}
          screenId={stage.screenId}
          url={stage.url}
          onEnd={(why) => setStage({ is: 'folded', why })}
        />
      )}
    </div>
  )
}
