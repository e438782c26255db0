import type { Settings } from '#domain/setting.ts'
import { setting } from '#storage/live.ts'
import { Choices } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

const THEMES: { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearanceSection() {
  const engine = useEngine()
  const theme = useLive((db) => setting(db, 'theme'), [])
  return (
    <Section title="Appearance">
      <Choices
        legend="Theme"
        value={theme ?? 'system'}
        choices={THEMES}
        onChange={(value) => void engine.saveSetting({ key: 'theme', value })}
      />
    </Section>
  )
}
