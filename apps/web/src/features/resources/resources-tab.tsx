import { useState } from 'react'
import { listNews } from '#domain/news.ts'
import type { ListedResource, ListedTemplate } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Offer, sizeInWords } from '#ui/offers/offer.tsx'
import { useAsked } from '#wiring/use-asked.ts'
import { OfferColumns } from './offer-columns.tsx'
import styles from './offers-screen.module.css'
import { ResourceDetail } from './resource-detail.tsx'
import { TemplateDetail } from './template-detail.tsx'

type Chosen = { resource: ListedResource } | { template: ListedTemplate }

/** Resources and templates of a server, and what is in the one that was chosen. Nothing is read before it is chosen. */
export function ResourcesTab({ server }: { server: Server }) {
  const serverId = server.id
  const asked = useAsked(
    async (engine, isFresh) => ({
      resources: await engine.listResources({ serverId, isFresh }),
      templates: await engine.listResourceTemplates({ serverId, isFresh }),
    }),
    { serverId, topic: listNews(serverId, 'resources'), deps: [] },
  )
  const { value } = asked
  const [chosen, setChosen] = useState<Chosen>()
  const resources = value?.resources.items ?? []
  const templates = value?.templates.items ?? []
  const items = [
    ...templates.map((template) => ({
      key: `template ${template.uriTemplate}`,
      words: `${template.title} ${template.name} ${template.uriTemplate} ${template.description}`,
      isChosen: !!chosen && 'template' in chosen && chosen.template.uriTemplate === template.uriTemplate,
      onPick: () => setChosen({ template }),
      drawn: (
        <Offer
          {...template}
          icon={template.icon}
          fallback="edit"
          details={['template', template.uriTemplate, template.mimeType]}
        />
      ),
    })),
    ...resources.map((resource, index) => ({
      key: `${index} ${resource.uri}`,
      words: `${resource.title} ${resource.name} ${resource.uri} ${resource.description} ${resource.mimeType}`,
      isChosen: !!chosen && 'resource' in chosen && chosen.resource.uri === resource.uri,
      onPick: () => setChosen({ resource }),
      drawn: (
        <Offer
          {...resource}
          icon={resource.icon}
          fallback="archive"
          details={[resource.title && resource.name, resource.mimeType, sizeInWords(resource.size)]}
        />
      ),
    })),
  ]
  const leftOut = (value?.resources.leftOut ?? 0) + (value?.templates.leftOut ?? 0)
  return (
    <OfferColumns
      title="Resources"
      serverId={serverId}
      asked={asked}
      items={value && items}
      leftOut={leftOut}
      empty={
        <EmptyState icon="archive" title="No resources">
          <p>Resources are things to read: files, notes, tables. This server offers none.</p>
        </EmptyState>
      }
    >
      {!chosen && items.length > 0 && <p className={styles.note}>Choose one to read it. Nothing is read by itself.</p>}
      {chosen && 'resource' in chosen && (
        <ResourceDetail
          key={chosen.resource.uri}
          server={server}
          resource={chosen.resource}
          canWatch={value?.resources.canWatch ?? false}
        />
      )}
      {chosen && 'template' in chosen && (
        <TemplateDetail
          key={chosen.template.uriTemplate}
          server={server}
          template={chosen.template}
          canComplete={value?.templates.canComplete ?? false}
          canWatch={value?.resources.canWatch ?? false}
        />
      )}
    </OfferColumns>
  )
}
