import { useState } from 'react'
import type { ListedTemplate } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { expandTemplate, variablesOf } from '#domain/uri-template.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { ArgumentForm } from '#ui/offers/argument-form.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './offers-screen.module.css'
import { ResourceDetail } from './resource-detail.tsx'

/** An address with variables: filled in, with the server's suggestions, and then read. */
export function TemplateDetail({
  server,
  template,
  canComplete,
  canWatch,
}: {
  server: Server
  template: ListedTemplate
  canComplete: boolean
  canWatch: boolean
}) {
  const engine = useEngine()
  const [values, setValues] = useState<Record<string, string>>({})
  const [uri, setUri] = useState<string>()
  const { uriTemplate, name, title, description } = template
  const fields = variablesOf(uriTemplate).map((variable) => ({
    name: variable,
    title: '',
    description: '',
    isRequired: false,
  }))
  const others = (without: string) =>
    Object.fromEntries(Object.entries(values).filter(([key, value]) => key !== without && value !== ''))
  return (
    <>
      <h2>{visibleText(title || name)}</h2>
      <div className={styles.facts}>
        <span className={styles.address}>{visibleText(uriTemplate)}</span>
        {description && <span>{visibleText(description)}</span>}
      </div>
      <ArgumentForm
        fields={fields}
        values={values}
        complete={
          canComplete
            ? (argument, value) =>
                engine.completeArgument({
                  serverId: server.id,
                  of: { template: uriTemplate },
                  argument,
                  value,
                  others: others(argument),
                })
            : undefined
        }
        onChange={setValues}
        onSubmit={() => setUri(expandTemplate(uriTemplate, values))}
      >
        <Button look="primary" type="submit">
          Read
        </Button>
        <span className={styles.address}>{visibleText(expandTemplate(uriTemplate, values))}</span>
      </ArgumentForm>
      {uri !== undefined && (
        <ResourceDetail
          key={uri}
          server={server}
          resource={{ uri, name: uri, title: '', description: '', mimeType: template.mimeType }}
          canWatch={canWatch}
        />
      )}
    </>
  )
}
