import { Link } from 'wouter'
import { classNames } from '#ui/class-names.ts'
import { Page } from '#ui/page.tsx'
import { AboutSection } from './about-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ApprovalsSection } from './approvals-section.tsx'
import { DataSection } from './data-section.tsx'
import { ModelsSection } from './models-section.tsx'
import styles from './settings.module.css'
import { VaultSection } from './vault-section.tsx'

const sections = {
  models: { title: 'Models', Section: ModelsSection },
  vault: { title: 'Vault', Section: VaultSection },
  approvals: { title: 'Approvals', Section: ApprovalsSection },
  data: { title: 'Data', Section: DataSection },
  appearance: { title: 'Appearance', Section: AppearanceSection },
  about: { title: 'About', Section: AboutSection },
}
const isSection = (name: string): name is keyof typeof sections => Object.hasOwn(sections, name)

export function SettingsScreen({ section }: { section: string }) {
  const chosen = isSection(section) ? section : 'models'
  const { Section } = sections[chosen]
  return (
    <Page title="Settings">
      <nav className={styles.tabs} aria-label="Settings">
        {Object.entries(sections).map(([name, { title }]) => (
          <Link
            key={name}
            href={`/settings/${name}`}
            className={classNames(styles.tab, name === chosen && styles.chosen)}
            aria-current={name === chosen ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Section />
    </Page>
  )
}
