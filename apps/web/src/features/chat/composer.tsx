import {
  type ChangeEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import type { Attachment } from '#domain/message.ts'
import { IconButton } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useDraft } from '#wiring/use-draft.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import { openedBy, type Picking } from './attach/opened-by.ts'
import { useAttachments } from './attach/use-attachments.ts'
import styles from './composer.module.css'
import { COMPOSER_ID } from './composer-id.ts'
import { FailureNotice } from './failure-notice.tsx'
import { takeHeldKeys } from './held-keys.ts'
import type { Obstacle } from './why-not-send.ts'

const AttachmentChips = lazy(() =>
  import('./attach/attachment-chips.tsx').then((m) => ({ default: m.AttachmentChips })),
)
const AttachDialog = lazy(() => import('./attach/attach-dialog.tsx').then((m) => ({ default: m.AttachDialog })))

export interface Draft {
  text: string
  attachments: readonly Attachment[]
}

/**
 * Where messages are written. Enter sends, Shift+Enter begins a new line, / and @ bring in prompts and resources. What is not
 * sent yet is never lost.
 */
export function Composer({
  draftId,
  serverIds,
  gptId,
  obstacle,
  turning,
  isBeginning = false,
  takeRest,
  onSend,
  onStop,
}: {
  draftId: string
  /** Whose prompts and resources there are to choose from. */
  serverIds: readonly string[]
  /** Whose model reads what is sent. */
  gptId: string
  obstacle: Obstacle | undefined
  /** The version in which an answer is being made, here or in another tab: what Enter is pressed for is sent when it is made. */
  turning?: string | undefined
  /** A chat is being begun beside it, which takes what stands here along. */
  isBeginning?: boolean
  /** Gets what gives away all that stands here, for who goes on elsewhere: it is not here any more then. */
  takeRest?: RefObject<(() => Draft) | undefined>
  /** `after`: the version whose answer it was written after, where it waited for that. */
  onSend: (text: string, attachments: Attachment[], after: string | undefined) => Promise<void>
  /** There while a turn runs; resolves when it has ended. */
  onStop?: (() => Promise<void>) | undefined
}) {
  const isReady = useEngineState(({ phase }) => phase === 'ready')
  const { isBusy, failure, run, forget } = useDeed()
  const { text = '', setText } = useDraft(draftId)
  const { attachments, hold, set: setAttachments } = useAttachments(draftId)
  const [problem, setProblem] = useState<string>()
  /** What is being chosen, and where the letter stands that was typed for it. */
  const [picking, setPicking] = useState<{ picking: Picking; at?: number }>()
  /** Enter was pressed before the engine was there, or while an answer was made. */
  const [held, setHeld] = useState<{ after: string | undefined }>()
  /** So many files are being read, one after the other; what is sent waits for them. */
  const [reading, setReading] = useState(0)
  const read = useRef(Promise.resolve())
  /** Between a key and the next drawing there may be another. */
  const isOnItsWay = useRef(false)
  /** The answer that is being made was stopped here, and its end is near: what is sent now waits for that, not for an answer. */
  const isStopped = useRef(false)
  /** What stands there now: whatever takes its time is added to it, not to what stood there when it began. */
  const now = useRef({ text, attachments })
  now.current = { text, attachments }
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const area = field.current
    if (!area) return
    // On a phone the keyboard would cover what there is to read.
    const takesFocus = matchMedia('(pointer: fine)').matches
    if (takesFocus) area.focus({ preventScroll: true })
    // Text that was typed before this field was there stands in it already, with the caret before it.
    if (takesFocus) area.setSelectionRange(area.value.length, area.value.length)
    const keys = takeHeldKeys(draftId)
    if (keys === '') return
    // Into the element itself, as a key would: the next key may come before React draws again.
    area.setRangeText(keys, area.value.length, area.value.length, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: keys }))
  }, [draftId])
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Toasts stand above the composer, however high it is.
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--composer-height', `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`),
    )
    if (whole.current) observer.observe(whole.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--composer-height')
    }
  }, [])

  const isEmpty = text.trim() === '' && attachments.length === 0
  const canSend = !isEmpty && !obstacle && !onStop && !isBusy
  const mustWait = !isReady || turning !== undefined || isBusy || isBeginning || reading > 0
  const letGo = () => setHeld(undefined)
  const awaited = () => (isStopped.current ? undefined : turning)
  const send = async (after?: string) => {
    // What is being chosen belongs to it.
    if (picking) return
    if (mustWait) return setHeld(isEmpty && reading === 0 ? undefined : { after: awaited() })
    if (!canSend || isOnItsWay.current) return
    isOnItsWay.current = true
    // What could not be attached is not part of what is written next.
    setProblem(undefined)
    setText('')
    hold([])
    await run(async () => {
      try {
        await onSend(text, [...attachments], after)
      } catch (error) {
        letGo()
        setText(joined(text, now.current.text))
        // What was attached since has taken the place of the others in what is stored.
        const since = now.current.attachments
        ;(since.length > 0 ? attach : hold)([...attachments, ...since])
        throw error
      } finally {
        isOnItsWay.current = false
      }
    })
  }
  if (takeRest)
    takeRest.current = () => {
      const rest = { ...now.current }
      setText('')
      if (rest.attachments.length > 0) attach([])
      return rest
    }
  const stop = async () => {
    letGo()
    isStopped.current = true
    await onStop?.()
    isStopped.current = false
    // Another may have begun meanwhile: what waits, waits for that.
    setHeld((before) => before && { ...before })
  }
  useEffect(() => {
    if (!held) return
    // What was sent before it has begun to be answered: it waits for the whole of that.
    if (held.after === undefined && awaited() !== undefined) setHeld({ after: awaited() })
    if (mustWait) return
    letGo()
    void send(held.after)
  }, [mustWait, held, turning])
  const write = (event: ChangeEvent<HTMLTextAreaElement>) => {
    forget()
    letGo()
    const { value, selectionStart } = event.target
    setText(value)
    // Who types on before the dialog is there still wants it.
    const isKept = picking && (picking.at === undefined || value[picking.at] === text[picking.at])
    if (serverIds.length > 0 && !isKept) setPicking(openedBy(text, value, selectionStart))
  }
  const pick = (next: Picking) => {
    letGo()
    setPicking({ picking: next })
  }
  const insert = (words: string, added: readonly Attachment[]) => {
    const at = picking?.at
    const { text: typed } = now.current
    const hasLetter = at !== undefined && /[/@]/.test(typed[at] ?? '')
    setText(joined(hasLetter ? typed.slice(0, at) + typed.slice(at + 1) : typed, words))
    if (added.length > 0) attach([...now.current.attachments, ...added])
    leave()
  }
  const leave = () => {
    // While the dialog is there, nothing beside it takes the focus.
    flushSync(() => setPicking(undefined))
    field.current?.focus()
  }
  const attach = (all: readonly Attachment[]) => {
    now.current.attachments = all
    setAttachments(all)
  }
  const addFiles = async (files: readonly File[]) => {
    letGo()
    setReading((before) => before + 1)
    const adding = read.current.then(async () => {
      const { attachFiles } = await import('./attach/attach-files.ts')
      const made = await attachFiles(files, () => now.current.attachments)
      setProblem(made.problem)
      // Words about a file that does not go along are not sent without a look.
      if (made.problem !== undefined) letGo()
      if (made.attachments) attach(made.attachments)
    })
    read.current = adding.catch(letGo).finally(() => setReading((before) => before - 1))
    await adding
  }
  const chooseFiles = async () => {
    letGo()
    const { chooseFiles: choose } = await import('./attach/choose-files.ts')
    const files = await choose()
    field.current?.focus()
    await addFiles(files)
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div ref={whole} className={styles.composer}>
      {/* That there is no room left is said above, on every screen, with the ways on. */}
      {failure && failure.code !== 'storage-full' && <FailureNotice failure={failure} />}
      {obstacle && (isReady || held) && (
        <p className={styles.obstacle} id={`${COMPOSER_ID}-obstacle`} role="status">
          {obstacle.text} {obstacle.action && <Link href={obstacle.action.to}>{obstacle.action.label}</Link>}
        </p>
      )}
      {held && turning !== undefined && (
        <p className={styles.obstacle} role="status">
          Your message is sent when this is done, if you stay here.
        </p>
      )}
      {problem !== undefined && (
        <p className={styles.obstacle} role="alert">
          {problem}
        </p>
      )}
      {attachments.length > 0 && (
        <Suspense>
          <AttachmentChips
            attachments={attachments}
            gptId={gptId}
            onRemove={(index) => {
              letGo()
              attach(attachments.filter((_, at) => at !== index))
            }}
          />
        </Suspense>
      )}
      {picking && (
        <Suspense>
          <AttachDialog
            picking={picking.picking}
            serverIds={serverIds}
            attachments={attachments}
            onInsert={insert}
            onClose={leave}
          />
        </Suspense>
      )}
      <div
        className={styles.box}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          void addFiles([...event.dataTransfer.files])
        }}
      >
        <Menu
          label="Attach"
          icon="plus"
          items={[
            { label: 'A file', hint: 'Text, a picture or audio', icon: 'archive', onSelect: () => void chooseFiles() },
            {
              label: 'A resource',
              hint: 'Type @',
              icon: 'server',
              disabled: serverIds.length === 0,
              onSelect: () => pick('resources'),
            },
            {
              label: 'A prompt',
              hint: 'Type /',
              icon: 'sparkle',
              disabled: serverIds.length === 0,
              onSelect: () => pick('prompts'),
            },
          ]}
        />
        <textarea
          ref={field}
          id={COMPOSER_ID}
          className={styles.text}
          aria-label="Message"
          aria-describedby={obstacle ? `${COMPOSER_ID}-obstacle` : undefined}
          placeholder={serverIds.length > 0 ? 'Message…  / prompts  @ resources' : 'Message…'}
          rows={1}
          maxLength={200_000}
          value={text}
          onChange={write}
          onKeyDown={hear}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            void addFiles([...event.clipboardData.files])
          }}
        />
        {onStop ? (
          <IconButton className={styles.send} label="Stop" icon="stop" onClick={() => void stop()} />
        ) : (
          <IconButton
            className={styles.send}
            label="Send"
            icon="send"
            disabled={!canSend}
            onClick={() => void send()}
          />
        )}
      </div>
    </div>
  )
}

/** Words below words; none beside nothing. */
const joined = (...parts: string[]): string => parts.filter((one) => one.trim() !== '').join('\n\n')
