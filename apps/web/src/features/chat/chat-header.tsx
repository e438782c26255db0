import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { servers as listServers } from '#storage/live.ts'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { useLive } from '#wiring/use-live.ts'
import styles from './chat-screen.module.css'
import { toolsInWords } from './tools-in-words.ts'

/** Whom one talks to: the GPT, its model, its tools. */
export function ChatHeader({
  gpt,
  connection,
  children,
}: {
  gpt: Gpt
  connection: ModelConnection | undefined
  children?: ReactNode
}) {
  const servers = useLive(listServers, [])
  const model = connection?.kind === 'practice' ? 'Practice model' : gpt.model.modelId
  return (
    <header className={styles.header}>
      <Link href={`/gpts/${gpt.id}`} className={styles.who} title={`Edit ${gpt.name}`}>
        <GptIcon icon={gpt.icon} name={gpt.name} small />
        <h1>{gpt.name}</h1>
      </Link>
      <p className={styles.with}>
        <span title={connection?.name}>{model || 'no model'}</span>
        {servers && <span>{toolsInWords(gpt, servers)}</span>}
      </p>
      {children}
    </header>
  )
}
