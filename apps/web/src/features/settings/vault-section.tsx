import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { SelectField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useSetting } from '#wiring/use-setting.ts'
import { askPasskey, canHavePasskey, createPasskey } from './passkey.ts'
import { PassphraseForm } from './passphrase-form.tsx'
import styles from './settings.module.css'

type Doing = 'nothing' | 'set' | 'change' | 'remove'

export function VaultSection() {
  const { state, protection } = useEngineState((engine) => engine.vault)
  return (
    <>
      <Section
        title="Vault"
        hint="Where the keys of models and the tokens of servers lie, encrypted. Chats and GPTs are not in it."
      >
        {protection === 'device' ? (
          <Notice tone="warn" title="Obfuscated on this device, not protected">
            The key that opens the vault is stored next to it. Anyone with your profile folder, a backup of it or this
            computer can read your keys, and so can a script that gets into this page. A passphrase or a passkey
            prevents both.
          </Notice>
        ) : (
          <Notice
            tone="good"
            title={protection === 'passkey' ? 'Protected by your passkey' : 'Protected by your passphrase'}
          >
            A copy of your profile folder is of no use without it. Nobody can recover it for you.
          </Notice>
        )}
        {state === 'locked' ? <Unlock /> : protection === 'device' ? <Protect /> : <Protected />}
      </Section>
      <Limits />
    </>
  )
}

/** The passkey of the vault, asked for in the click. */
function usePasskey() {
  const passkey = useEngineState((engine) => engine.vault.passkey)
  return passkey && (() => askPasskey(passkey))
}

function Unlock() {
  const engine = useEngine()
  const askForPasskey = usePasskey()
  const { run, isBusy, failure } = useDeed()
  return (
    <div className={styles.form}>
      <p>The vault is locked. Chats can be read; models and servers that need a key wait until you unlock it.</p>
      {askForPasskey ? (
        <Button
          look="primary"
          icon="key"
          busy={isBusy}
          onClick={() => void run(async () => engine.unlock({ prf: await askForPasskey() }))}
        >
          Unlock with the passkey
        </Button>
      ) : (
        <PassphraseForm
          kind="current"
          label="Passphrase"
          button="Unlock"
          isBusy={isBusy}
          onSubmit={(passphrase) => void run(() => engine.unlock({ passphrase }))}
        />
      )}
      {failure && <Explained {...explain(failure)} action={undefined} />}
    </div>
  )
}

function Protect() {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  return (
    <div className={styles.form}>
      <PassphraseForm
        kind="new"
        label="New passphrase"
        button="Protect with this passphrase"
        isBusy={isBusy}
        onSubmit={(passphrase) => void run(() => engine.setPassphrase({ passphrase }))}
      />
      {canHavePasskey() && (
        <>
          <p className={styles.soft}>Or by something you have:</p>
          <Button
            icon="key"
            busy={isBusy}
            onClick={() => void run(async () => engine.setPasskey(await createPasskey()))}
          >
            Protect with a passkey
          </Button>
        </>
      )}
      {failure && <Explained {...explain(failure)} action={undefined} />}
      <p className={styles.soft}>
        Keys you saved before may still be readable in old files of this profile. If someone may have had a copy of it,
        make new keys at their services.
      </p>
    </div>
  )
}

function Protected() {
  const engine = useEngine()
  const { protection } = useEngineState((state) => state.vault)
  const askForPasskey = usePasskey()
  const [minutes, setMinutes] = useSetting('idleLockMinutes')
  const [doing, setDoing] = useState<Doing>('nothing')
  const [current, setCurrent] = useState('')
  const { run, isBusy, failure } = useDeed()
  const leave = () => {
    setDoing('nothing')
    setCurrent('')
  }
  const remove = (passphrase: string) => void run(() => engine.removeProtection({ passphrase })).then(leave)
  return (
    <div className={styles.form}>
      <div className={styles.actions}>
        <Button look="primary" icon="lock" onClick={() => void engine.lock()}>
          Lock now
        </Button>
        {protection === 'passphrase' && <Button onClick={() => setDoing('change')}>Change the passphrase</Button>}
        <Button
          look="danger"
          busy={isBusy}
          onClick={() =>
            askForPasskey
              ? void run(async () => engine.removeProtection({ prf: await askForPasskey() }))
              : setDoing('remove')
          }
        >
          Remove the protection
        </Button>
      </div>
      {doing === 'change' && (
        <>
          {current === '' ? (
            <PassphraseForm
              kind="current"
              label="Current passphrase"
              button="Go on"
              isBusy={false}
              onSubmit={setCurrent}
            />
          ) : (
            <PassphraseForm
              kind="new"
              label="New passphrase"
              button="Change it"
              isBusy={isBusy}
              onSubmit={(passphrase) => void run(() => engine.setPassphrase({ passphrase, current })).then(leave)}
            />
          )}
        </>
      )}
      {doing === 'remove' && (
        <PassphraseForm
          kind="current"
          label="Passphrase"
          button="Remove the protection"
          isBusy={isBusy}
          onSubmit={remove}
        />
      )}
      {failure && <Explained {...explain(failure)} action={undefined} />}
      <SelectField
        label="Lock by itself"
        hint="When nobody has used the app, in any tab, for this long."
        value={minutes ?? 15}
        onChange={(event) => void setMinutes(Number(event.target.value))}
      >
        {[1, 5, 15, 30, 60, 240].map((value) => (
          <option key={value} value={value}>
            after{' '}
            {value < 60 ? `${value} minute${value === 1 ? '' : 's'}` : `${value / 60} hour${value === 60 ? '' : 's'}`}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

const Limits = () => (
  <Section title="What it does not protect">
    <div className={styles.prose}>
      <ul>
        <li>Chats, GPTs and what tools answered: they lie in this browser's storage as they are.</li>
        <li>
          Anything, while it is unlocked, from a program that runs as you on this computer, or an extension with access
          to this page.
        </li>
        <li>
          What the engine does for this page while the vault is open: a script in the page cannot read a key then, but
          it can ask the engine to use it.
        </li>
        <li>A passphrase that can be guessed.</li>
      </ul>
    </div>
  </Section>
)
