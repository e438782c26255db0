import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FilledPrompt, ListedPrompt } from '#domain/resource.ts'
import { Button } from '../button.tsx'
import { ArgumentForm } from './argument-form.tsx'
import styles from './offers.module.css'
import { PromptPreview } from './prompt-preview.tsx'

/** The arguments of a prompt, then what it says with them, then what is done with that. Nothing is sent from here. */
export function PromptFiller({
  prompt,
  serverName,
  isBusy,
  complete,
  fill,
  onEdit,
  failure,
  startsFocused,
  actions,
}: {
  prompt: ListedPrompt
  serverName: string
  isBusy: boolean
  complete:
    | ((name: string, value: string, others: Record<string, string>) => Promise<{ values: string[]; hasMore: boolean }>)
    | undefined
  fill: (values: Record<string, string>) => Promise<FilledPrompt | undefined>
  /** What is being asked for is of other values. */
  onEdit: () => void
  failure: ReactNode
  startsFocused?: boolean
  actions: (filled: FilledPrompt) => ReactNode
}) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [filled, setFilled] = useState<FilledPrompt>()
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  /** Which values were asked about last: what comes of others counts no more. */
  const asked = useRef<typeof values>(undefined)
  const show = () => {
    asked.current = values
    void fill(given).then((prompted) => {
      if (asked.current === values) setFilled(prompted)
    })
  }
  const hasArguments = prompt.arguments.length > 0
  // One without arguments has nothing to wait for.
  useEffect(() => {
    if (!hasArguments) show()
  }, [])
  return (
    <>
      {hasArguments && (
        <ArgumentForm
          fields={prompt.arguments}
          values={values}
          complete={
            complete &&
            ((name, value) => {
              const { [name]: _, ...others } = given
              return complete(name, value, others)
            })
          }
          onChange={(next) => {
            setValues(next)
            setFilled(undefined)
            asked.current = undefined
            onEdit()
          }}
          onSubmit={show}
          startsFocused={startsFocused}
        >
          <Button look={filled ? 'plain' : 'primary'} type="submit" busy={isBusy}>
            Preview
          </Button>
        </ArgumentForm>
      )}
      {failure}
      {filled && (
        <>
          <div className={styles.buttons}>{actions(filled)}</div>
          <PromptPreview prompt={filled} serverName={serverName} />
        </>
      )}
    </>
  )
}
