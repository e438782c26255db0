import { Button, IconButton } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import type { SectionProps } from './gpt-editor.tsx'
import styles from './gpt-editor.module.css'

const MOST = 8

export function StartersSection({ gpt: { starters }, change }: SectionProps) {
  const set = (next: string[]) => change({ starters: next })
  const swap = (at: number, to: number) =>
    set(starters.map((one, index) => (index === at ? (starters[to] ?? '') : index === to ? (starters[at] ?? '') : one)))
  return (
    <Section
      title="Starters"
      hint="Things to ask, offered as buttons in a new chat."
      actions={
        <Button small icon="plus" disabled={starters.length >= MOST} onClick={() => set([...starters, ''])}>
          Add a starter
        </Button>
      }
    >
      <ul className={styles.starters}>
        {starters.map((starter, at) => (
          <li key={at} className={styles.starter}>
            <TextField
              label={`Starter ${at + 1}`}
              maxLength={500}
              value={starter}
              onChange={(event) => set(starters.with(at, event.target.value))}
            />
            <IconButton
              label={`Move starter ${at + 1} up`}
              icon="send"
              disabled={at === 0}
              onClick={() => swap(at, at - 1)}
            />
            <IconButton
              label={`Remove starter ${at + 1}`}
              icon="close"
              onClick={() => set(starters.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
