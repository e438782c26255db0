import { useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { Section } from '#ui/page.tsx'
import type { SectionProps } from './gpt-editor.tsx'
import styles from './gpt-editor.module.css'
import { shrinkPicture } from './shrink-picture.ts'

const EMOJIS = ['💬', '✍️', '📚', '🔎', '🧭', '🛠️', '📈', '🧪', '🎨', '🍳', '✈️', '🏡', '💡', '🗂️', '🧮', '🎵', '🌱', '🤖']

export function IdentitySection({ gpt, change }: SectionProps) {
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const isPicture = gpt.icon.startsWith('data:')

  const takePicture = async (picture: File | undefined) => {
    if (!picture) return
    try {
      change({ icon: await shrinkPicture(picture) })
      setProblem(undefined)
    } catch {
      setProblem(`${picture.name} cannot be read as a picture. Take a PNG, JPEG or WebP.`)
    }
  }
  return (
    <Section title="Identity">
      <div className={styles.identity}>
        <div className={styles.face}>
          <GptIcon icon={gpt.icon} name={gpt.name} />
          <div className={styles.emojis} role="group" aria-label="Icon">
            {EMOJIS.map((emoji) => (
              <button
                key={emoji}
                type="button"
                className={styles.emoji}
                aria-pressed={gpt.icon === emoji}
                onClick={() => change({ icon: emoji })}
              >
                {emoji}
              </button>
            ))}
          </div>
          <Button small onClick={() => file.current?.click()}>
            {isPicture ? 'Another picture…' : 'Use a picture…'}
          </Button>
          <input
            ref={file}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hidden
            aria-label="Picture"
            onChange={(event) => void takePicture(event.target.files?.[0])}
          />
          {problem && <p role="alert">{problem}</p>}
        </div>
        <div>
          <TextField
            label="Name"
            required
            maxLength={100}
            value={gpt.name}
            error={gpt.name.trim() === '' ? 'Give it a name, so that you find it again.' : undefined}
            onChange={(event) => change({ name: event.target.value })}
          />
          <TextField
            label="Description"
            maxLength={500}
            value={gpt.description}
            placeholder="One line, for you"
            onChange={(event) => change({ description: event.target.value })}
          />
          <TextField
            label="Icon"
            hint="An emoji or a letter"
            maxLength={8}
            value={isPicture ? '' : gpt.icon}
            placeholder={isPicture ? 'a picture' : undefined}
            onChange={(event) => change({ icon: event.target.value })}
          />
        </div>
      </div>
    </Section>
  )
}
