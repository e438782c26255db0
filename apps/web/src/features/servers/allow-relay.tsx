import { useEffect, useEffectEvent, useState } from 'react'
import type { Fix } from '#domain/diagnosis.ts'
import { isLoopback } from '#domain/loopback.ts'
import { visibleText } from '#lib/visible-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './diagnosis.module.css'

const LOOK_EVERY_MS = 1_000

/** What to write into the companion's file so that its relay may reach this server; goes on by itself once it is there. */
export function AllowRelay({ fix, onAllowed }: { fix: Extract<Fix, { type: 'allow' }>; onAllowed: () => void }) {
  const { origin, file } = fix
  const { isAllowed, help } = useRelayReach(origin)
  const allowed = useEffectEvent(onAllowed)
  useEffect(() => {
    if (isAllowed) allowed()
  }, [isAllowed])
  const { text, isNew, problem } = help ?? fix
  const { host, hostname } = new URL(origin)
  return (
    <>
      <p>
        Or reach it through the companion. {host} is in your own network, so a web page can’t allow that. You can, in
        the companion’s file:
      </p>
      <ol className={styles.steps}>
        <li>
          {isNew ? 'Create' : 'Open'} <code>{visibleText(file)}</code>{' '}
          <CopyButton text={file} label="Copy the path" withWords />
        </li>
        <li>
          {isNew
            ? 'Write this into it:'
            : 'Add this to the outermost braces, with a comma between it and the next entry. If there is a “relay” entry, replace it:'}
          <pre className={styles.block} tabIndex={0}>
            {visibleText(text)}
          </pre>
          <CopyButton text={text} label={isNew ? 'Copy the file' : 'Copy the line'} withWords />
        </li>
        <li>Save it. This page notices by itself; nothing has to be restarted.</li>
      </ol>
      {problem && (
        <p className={styles.problem} role="alert">
          The file has a problem: {visibleText(problem)}
        </p>
      )}
      <p className={styles.soft} role="status">
        {isAllowed ? 'Allowed. Connecting…' : 'Waiting for the file to change…'}
      </p>
      {isLoopback(hostname) && (
        <p className={styles.soft}>
          To allow every server of this computer at once, start the companion with{' '}
          <code>npm start -- --relay-loopback</code> instead.
        </p>
      )}
    </>
  )
}

/** Asks the companion again and again: its file is changed outside of this page. */
function useRelayReach(origin: string) {
  const engine = useEngine()
  const [reach, setReach] = useState<Awaited<ReturnType<typeof engine.relayReach>>>({ isAllowed: false })
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const next = await engine.relayReach({ origin })
        if (!isOver) setReach(next)
      } catch {
        // The companion may be starting again.
      }
      if (!isOver) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [engine, origin])
  return reach
}
