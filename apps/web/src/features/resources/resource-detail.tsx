import { useState } from 'react'
import { attachResource } from '#domain/attachments.ts'
import { resourceNews } from '#domain/news.ts'
import type { ListedResource } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { fileSize } from '#lib/file-size.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Tick } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { ResourceParts } from '#ui/offers/resource-parts.tsx'
import { explain } from '#wiring/explain.ts'
import { useAsked } from '#wiring/use-asked.ts'
import styles from './offers-screen.module.css'
import { useWatch } from './use-watch.ts'
import { UseInChat } from './use-in-chat.tsx'

/** What is in a resource now, and on wish whenever it changes. */
export function ResourceDetail({
  server,
  resource,
  canWatch,
}: {
  server: Server
  resource: ListedResource
  canWatch: boolean
}) {
  const serverId = server.id
  const { uri, name, title, description, mimeType, size } = resource
  const [isOn, setOn] = useState(false)
  const watch = useWatch(serverId, uri, isOn)
  const { value, failure, isBusy, changes, again } = useAsked((engine) => engine.readResource({ serverId, uri }), {
    serverId,
    topic: resourceNews(serverId, uri),
    deps: [],
  })
  const attached = value && attachResource(value.parts, { serverId, serverName: server.name }, title || name)
  const facts = [mimeType, size === undefined ? '' : fileSize(size)].filter(Boolean).join(' · ')
  return (
    <>
      <h2>{visibleText(title || name)}</h2>
      <div className={styles.facts}>
        <span className={styles.address}>{visibleText(uri)}</span>
        {facts && <span>{visibleText(facts)}</span>}
        {description && <span>{visibleText(description)}</span>}
      </div>
      <div className={styles.buttons}>
        <Button small icon="refresh" busy={isBusy} onClick={again}>
          Read again
        </Button>
        {attached && 'attachments' in attached && (
          <UseInChat serverId={serverId} label="Attach to a new chat" text="" attachments={attached.attachments} />
        )}
      </div>
      {canWatch && (
        <Tick
          kind="switch"
          label="Watch for changes"
          checked={isOn}
          onChange={setOn}
          hint={
            watch.isWatching
              ? changes > 0
                ? `Changed ${plural(changes, 'time')} since you opened it.`
                : 'The server tells when it changes. Nothing has changed yet.'
              : 'The server tells when it changes, until you leave this page.'
          }
        />
      )}
      {watch.failure && <Explained {...explain(watch.failure, { serverId })} action={undefined} />}
      {failure && <Explained {...explain(failure, { serverId })} onAct={again} />}
      {attached && 'problem' in attached && value.parts.length > 0 && (
        <p className={styles.note}>It cannot be attached to a message: {visibleText(attached.problem)}</p>
      )}
      {value && value.parts.length === 0 && <Notice tone="info">The resource is empty.</Notice>}
      {value && <ResourceParts parts={value.parts} />}
      {value && value.leftOut > 0 && (
        <p className={styles.note}>{plural(value.leftOut, 'part')} could not be read, or were too many.</p>
      )}
    </>
  )
}
