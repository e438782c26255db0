import { type ReactNode, useEffect, useState } from 'react'
import { isRecord } from '#lib/json-schema/schema.ts'
import { same } from '#lib/json-schema/match-branch.ts'
import { TextArea } from '../field.tsx'
import { faultAt, useForm } from './form-context.ts'
import styles from './schema-form.module.css'

interface JsonControlProps {
  path: string
  label: ReactNode
  hint?: ReactNode
  value: unknown
  onChange: (value: unknown) => void
  rows?: number
  required?: boolean
  /** Only an object will do. */
  isWhole?: boolean
}

const textFor = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

/** A value as its text. What is no JSON yet stays as it was typed, and is not the value. */
export function JsonControl({ path, label, hint, value, onChange, rows = 4, required, isWhole }: JsonControlProps) {
  const { faults, report } = useForm()
  const [text, setText] = useState(() => textFor(value))
  const read = readJson(text, isWhole === true)
  // Somebody else changed the value: what stands here would be a lie.
  if ('value' in read && !same(read.value, value)) setText(textFor(value))
  const problem = 'problem' in read ? read.problem : undefined
  useEffect(() => {
    report(path, problem)
    return () => report(path, undefined)
  }, [report, path, problem])
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={rows}
      spellCheck={false}
      className={styles.json}
      aria-required={required || undefined}
      value={text}
      error={problem ?? faultAt(faults, path)}
      onChange={(event) => {
        setText(event.target.value)
        const next = readJson(event.target.value, isWhole === true)
        if ('value' in next) onChange(next.value)
      }}
    />
  )
}

function readJson(text: string, isWhole: boolean): { value: unknown } | { problem: string } {
  if (text.trim() === '') return { value: isWhole ? {} : undefined }
  try {
    const value: unknown = JSON.parse(text)
    return isWhole && !isRecord(value) ? { problem: 'This has to be an object, in { }.' } : { value }
  } catch (error) {
    return { problem: `This is no JSON yet, so it is not used: ${(error as Error).message.slice(0, 120)}` }
  }
}
