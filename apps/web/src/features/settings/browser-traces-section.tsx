import { Tick } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import { useSetting } from '#wiring/use-setting.ts'
import styles from './settings.module.css'

/** What the browser itself remembers, which no page can delete. */
export function BrowserTracesSection() {
  const [titlesInTab, setTitlesInTab] = useSetting('titlesInTab')
  return (
    <Section
      title="What your browser keeps"
      hint="Your browser remembers some things by itself. This app cannot read or delete them, not even with “Delete everything”."
    >
      <div className={styles.prose}>
        <ul>
          <li>
            Its history: the addresses of the screens you opened, with the ids of chats and the names of tools, and the
            title of the tab.
          </li>
          <li>The files you downloaded, and their names: an exported chat is named after its title.</li>
          <li>
            Parts of what was deleted, until it tidies up the files of your profile. Keys saved without a passphrase or
            passkey can be among them.
          </li>
        </ul>
        <p>
          To remove it, clear the browser’s history for this address and delete the downloads. A private window keeps
          none of it except the downloads.
        </p>
      </div>
      <Tick
        kind="switch"
        label="Show the chat’s title in the tab"
        hint="Off, every tab is called “Switchboard”. On, the titles of the chats you open enter the browser’s history."
        checked={titlesInTab ?? false}
        onChange={(isOn) => void setTitlesInTab(isOn)}
      />
    </Section>
  )
}
