import { useState } from 'react'
import { listNews } from '#domain/news.ts'
import { insertPrompt } from '#domain/insert-prompt.ts'
import type { ListedPrompt } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Explained } from '#ui/explained.tsx'
import { Offer } from '#ui/offers/offer.tsx'
import { PromptFiller } from '#ui/offers/prompt-filler.tsx'
import { explain } from '#wiring/explain.ts'
import { useAsked } from '#wiring/use-asked.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { OfferColumns } from './offer-columns.tsx'
import styles from './offers-screen.module.css'
import { UseInChat } from './use-in-chat.tsx'

/** Prompts of a server: filled in, looked at, and taken to a chat. */
export function PromptsTab({ server }: { server: Server }) {
  const serverId = server.id
  const asked = useAsked((engine, isFresh) => engine.listPrompts({ serverId, isFresh }), {
    serverId,
    topic: listNews(serverId, 'prompts'),
    deps: [],
  })
  const { value } = asked
  const [chosen, setChosen] = useState<ListedPrompt>()
  const items = value?.items.map((prompt) => ({
    key: prompt.name,
    words: `${prompt.title} ${prompt.name} ${prompt.description}`,
    isChosen: chosen?.name === prompt.name,
    onPick: () => setChosen(prompt),
    drawn: (
      <Offer
        {...prompt}
        icon={prompt.icon}
        fallback="sparkle"
        details={[prompt.title && prompt.name, plural(prompt.arguments.length, 'argument')]}
      />
    ),
  }))
  return (
    <OfferColumns
      title="Prompts"
      serverId={serverId}
      asked={asked}
      items={items}
      leftOut={value?.leftOut ?? 0}
      empty={
        <EmptyState icon="sparkle" title="No prompts">
          <p>Prompts are ready-made beginnings of a message. This server offers none.</p>
        </EmptyState>
      }
    >
      {chosen ? (
        <PromptDetail key={chosen.name} server={server} prompt={chosen} canComplete={value?.canComplete ?? false} />
      ) : (
        items && items.length > 0 && <p className={styles.note}>Choose one to fill it in and see what it says.</p>
      )}
    </OfferColumns>
  )
}

function PromptDetail({ server, prompt, canComplete }: { server: Server; prompt: ListedPrompt; canComplete: boolean }) {
  const engine = useEngine()
  const { isBusy, failure, run, letGo } = useDeed()
  const serverId = server.id
  return (
    <>
      <h2>{visibleText(prompt.title || prompt.name)}</h2>
      {prompt.description && <p className={styles.facts}>{visibleText(prompt.description)}</p>}
      <PromptFiller
        prompt={prompt}
        serverName={server.name}
        isBusy={isBusy}
        complete={
          canComplete
            ? (argument, value, others) =>
                engine.completeArgument({ serverId, of: { prompt: prompt.name }, argument, value, others })
            : undefined
        }
        onEdit={letGo}
        fill={(values) => run(() => engine.getPrompt({ serverId, name: prompt.name, values }))}
        failure={failure && <Explained {...explain(failure, { serverId })} action={undefined} />}
        actions={(filled) => {
          const { text, attachments } = insertPrompt(
            filled,
            { serverId, serverName: server.name },
            prompt.title || prompt.name,
          )
          return <UseInChat serverId={serverId} label="Use in a new chat" text={text} attachments={attachments} />
        }}
      />
    </>
  )
}
