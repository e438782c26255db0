import type { Failure } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Line, Lines } from '#ui/lines.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import type { CompanionServer, ServerInput } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import styles from './servers.module.css'
import { useCompanionServers } from './use-companion-servers.ts'

const TONES: Record<CompanionServer['state'], Tone> = {
  stopped: 'plain',
  starting: 'accent',
  running: 'good',
  failed: 'bad',
}

const serverOf = ({ name }: CompanionServer): ServerInput => ({
  name,
  description: '',
  transport: 'stdio',
  companionName: name,
  url: '',
  authentication: { type: 'none' },
  timeoutSeconds: 60,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
})

/** The programs of this computer that the companion can run, by the names in its file. */
export function CompanionSection({ servers }: { servers: readonly Server[] }) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const { listed, look } = useCompanionServers()
  const { run, failure, isBusy } = useDeed()
  if (listed?.isServing) return <NotConnected failure={listed.failure} />
  if (!listed?.present) return null

  const known = new Set(servers.flatMap(({ companionName }) => companionName ?? []))
  const use = (program: CompanionServer) =>
    void run(() => engine.saveServer({ server: serverOf(program), secrets: {} })).then((saved) => {
      if (saved) go(`/servers/${saved.serverId}`)
    })
  return (
    <Section
      title="Programs on this computer"
      hint="The companion runs what its own file lists, and nothing a web page asks for."
    >
      {listed.failure && <Explained {...explain(listed.failure)} />}
      {failure && <Explained {...explain(failure)} action={undefined} />}
      {listed.servers.length === 0 && <p className={styles.soft}>{listed.hint ?? 'Its file lists no programs.'}</p>}
      {listed.servers.length > 0 && (
        <Lines>
          {listed.servers.map((program) => (
            <Line key={program.name}>
              <div className={styles.words}>
                <h3>
                  {visibleText(program.name)} <Badge tone={TONES[program.state]}>{program.state}</Badge>
                </h3>
                {program.lastError && <LastError state={program.state} words={program.lastError} />}
                {program.stderrTail && (
                  <details>
                    <summary className={styles.soft}>What it wrote</summary>
                    <pre className={styles.stderr} tabIndex={0}>
                      {visibleText(program.stderrTail)}
                    </pre>
                  </details>
                )}
              </div>
              {/* One that is stopped starts by itself when it is used. */}
              {program.state !== 'stopped' && (
                <Button
                  small
                  icon="refresh"
                  onClick={() => void run(() => engine.restartCompanionServer({ name: program.name })).then(look)}
                >
                  Restart
                </Button>
              )}
              {!known.has(program.name) && (
                <Button small look="primary" disabled={isBusy} onClick={() => use(program)}>
                  Use it
                </Button>
              )}
            </Line>
          ))}
        </Lines>
      )}
    </Section>
  )
}

/** The companion runs, and this page has no code of it: why, and how to get one. */
const NotConnected = ({ failure }: { failure: Failure | undefined }) => (
  <Section title="Programs on this computer">
    <Notice tone="warn" title="This page isn’t connected to the companion">
      {failure?.code === 'vault-locked'
        ? failure.message
        : 'It was opened without a valid one-time code, for example from a bookmark, or the companion was restarted. Without one, the companion doesn’t let a page use the programs of this computer or reach servers through it. To connect, go to the terminal where the companion runs and open the newest address that it printed. If you can’t find the terminal, end the companion and run npm start again.'}
    </Notice>
  </Section>
)

/** What became of the last one. Where another runs, it is no fault any more. */
const LastError = ({ state, words }: { state: CompanionServer['state']; words: string }) =>
  state === 'running' ? (
    <p className={styles.soft}>It was started again. Before that: {visibleText(words)}</p>
  ) : (
    <p className={styles.failure}>{visibleText(words)}</p>
  )
