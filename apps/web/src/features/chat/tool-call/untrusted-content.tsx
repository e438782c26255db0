import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { gpt as gptById, servers as allServers } from '#storage/live.ts'
import { ActionButton, Actions } from '#ui/decision.tsx'
import { Icon } from '#ui/icon.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { sayFailure } from '../say-failure.ts'
import styles from './approval-card.module.css'
import { areAllTrusted } from './are-all-trusted.ts'

/**
 * Says that a call asks only because of content from untrusted servers, and offers to change that. What is changed here holds
 * for later calls: this one still waits for its own answer.
 */
export function UntrustedContent({ calls }: { calls: readonly ToolCall[] }) {
  const engine = useEngine()
  const asking = calls.filter(({ approval }) => approval?.why === 'untrusted-content')
  const gptId = asking[0]?.gptId ?? ''
  const gpt = useLive((db) => gptById(db, gptId), [gptId])
  const servers = useLive((db) => allServers(db), [])
  if (asking.length === 0) return null
  const names = [...new Set(asking.flatMap(({ approval }) => approval?.foreign ?? []))].map(visibleText)
  const ids = asking.flatMap(({ approval }) => approval?.foreignIds ?? [])
  const untrusted = servers?.filter(({ id, trusted }) => ids.includes(id) && !trusted) ?? []
  const isOn = gpt?.tools.askOnUntrustedContent !== false
  const isChanged = servers !== undefined && (!isOn || areAllTrusted(ids, servers))

  const trust = (serverId: string, trusted: boolean) => engine.trustServer({ serverId, trusted }).catch(sayFailure)
  const setSwitch = (askOnUntrustedContent: boolean) =>
    engine.updateGpt({ gptId, change: { tools: { askOnUntrustedContent } } }).catch(sayFailure)

  return (
    <div className={styles.why}>
      <p className={styles.warning}>
        <Icon name="warning" size={15} />
        <span>
          It asks because this chat contains content from {inWords(names)}, which you don’t trust: such content can talk
          the model into calls you don’t want. Otherwise{' '}
          {asking.length === 1 ? 'this tool' : `${asking.length} of these`} would run without asking.
        </span>
      </p>
      {isChanged ? (
        <p>Saved. Later calls no longer ask because of this. This one still waits for your answer.</p>
      ) : (
        <Actions className={styles.buttons}>
          {untrusted.map(({ id, name }) => (
            <ActionButton
              key={id}
              small
              title="Also believes what this server says about its tools. Change it back under Servers."
              onClick={() => {
                void trust(id, true)
                showToast(`You trust ${visibleText(name)} from now on.`, {
                  label: 'Undo',
                  run: () => void trust(id, false),
                })
              }}
            >
              Trust {visibleText(name)}
            </ActionButton>
          ))}
          <ActionButton
            small
            title="Turns off “Ask when content from an untrusted server is in the chat” for this GPT, also for calls that would send what looks like a key."
            onClick={() => {
              void setSwitch(false)
              showToast('This GPT no longer asks because of untrusted content.', {
                label: 'Undo',
                run: () => void setSwitch(true),
              })
            }}
          >
            Don’t ask again in this GPT
          </ActionButton>
        </Actions>
      )}
    </div>
  )
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'a server') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
