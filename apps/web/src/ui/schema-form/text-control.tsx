import { shortValue } from '#lib/json-schema/describe-schema.ts'
import type { TextFormat } from '#lib/json-schema/field-plan.ts'
import { fromLocalTime, toLocalTime } from '#lib/json-schema/local-time.ts'
import { TextArea, TextField } from '../field.tsx'
import type { FieldProps } from './form-context.ts'

const SAMPLES: Partial<Record<TextFormat, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  date: '2026-01-31',
  time: '14:30:00Z',
  'date-time': '2026-01-31T14:30:00Z',
}
const DAY = /^\d{4}-\d\d-\d\d$/

export function TextControl({ plan, label, hint, fault, value, required, onChange }: FieldProps<'text'>) {
  const text = typeof value === 'string' ? value : ''
  const shared = { label, hint, error: fault, 'aria-required': required || undefined, spellCheck: plan.long }
  const placeholder = plan.default ? shortValue(plan.default.value) : SAMPLES[plan.format]
  const take = (next: string | undefined) => onChange(next || undefined)
  // An input of one line would take line ends out of what is there.
  if (plan.long || text.includes('\n'))
    return <TextArea {...shared} {...{ placeholder }} value={text} onChange={(event) => take(event.target.value)} />
  // These inputs show nothing of a value that is not exactly theirs, and the next key would be the end of it.
  if (plan.format === 'date' && (text === '' || DAY.test(text)))
    return <TextField {...shared} type="date" value={text} onChange={(event) => take(event.target.value)} />
  const local = plan.format === 'date-time' ? (text === '' ? '' : toLocalTime(text)) : undefined
  if (local !== undefined)
    return (
      <TextField
        {...shared}
        hint={
          <>
            {hint} {text ? `Sent as ${text}` : 'In your time; sent in UTC.'}
          </>
        }
        type="datetime-local"
        step={1}
        value={local}
        onChange={(event) => take(fromLocalTime(event.target.value))}
      />
    )
  return (
    <TextField
      {...shared}
      {...{ placeholder }}
      type={plan.format === 'password' ? 'password' : 'text'}
      inputMode={plan.format === 'email' ? 'email' : plan.format === 'uri' ? 'url' : 'text'}
      value={text}
      onChange={(event) => take(event.target.value)}
    />
  )
}
