import type { Settings } from '#domain/setting.ts'
import { Choices } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import { useSetting } from '#wiring/use-setting.ts'

const THEMES: { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearanceSection() {
  const [theme, setTheme] = useSetting('theme')
  return (
    <Section title="Appearance">
      <Choices legend="Theme" value={theme ?? 'system'} choices={THEMES} onChange={(value) => void setTheme(value)} />
    </Section>
  )
}
