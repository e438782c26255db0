import { Section } from '#ui/page.tsx'
import styles from './settings.module.css'

export const AboutSection = () => (
  <Section title="About">
    <div className={styles.prose}>
      <p>
        Switchboard keeps everything in this browser: your GPTs, your chats, what your tools answered. There is no
        account and no server of ours.
      </p>
      <p>What leaves this browser, and only then:</p>
      <ul>
        <li>What you write, with the GPT's instructions and its tools, to the model service you chose for that GPT.</li>
        <li>The arguments of a tool, to its server, when you allow the call or have allowed it before.</li>
        <li>Nothing with the practice model: it is part of this page.</li>
      </ul>
      <p>
        Version 0.1.0, MIT licence. It contains packages of others:{' '}
        <a href="third-party-licenses.txt" target="_blank" rel="noopener">
          their licences
        </a>
        .
      </p>
    </div>
  </Section>
)
