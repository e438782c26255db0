import { useMemo, useState } from 'react'
import { fileSize } from '#lib/file-size.ts'
import { looksLikeMarkdown } from '#lib/looks-like-markdown.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { download } from '../download.ts'
import { bytesOf } from '#lib/in-words.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { OutgoingLink } from '../markdown/outgoing-link.tsx'
import { safeLink } from '../markdown/safe-link.ts'
import { readRaster } from '#lib/read-raster.ts'
import { JsonView } from './json-view.tsx'
import { readBlock, readContent, type Shown } from './read-content.ts'
import styles from './result-view.module.css'

const MAX_BLOCKS = 50
const MAX_CHARACTERS = 6_000
const MAX_AUDIO = 16_000_000
const PLAYABLE = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|webm|wav|x-wav|wave|flac)$/i

/** The result of a call: data of a stranger, drawn as what it is and never followed. */
export function ResultView({
  content,
  structured,
}: {
  content: readonly Record<string, unknown>[]
  structured: unknown
}) {
  const [count, setCount] = useState(MAX_BLOCKS)
  // Pictures and sound stand below the card's line already.
  const blocks = readContent(content, structured).filter(({ type }) => type !== 'image' && type !== 'audio')
  return (
    <div className={styles.result}>
      {structured !== undefined && <JsonView value={structured} />}
      {blocks.slice(0, count).map((shown, index) => (
        <BlockView key={index} shown={shown} />
      ))}
      {blocks.length > count && (
        <Button small onClick={() => setCount(count + MAX_BLOCKS)}>
          Show more ({blocks.length - count} left)
        </Button>
      )}
      {blocks.length === 0 && structured === undefined && content.length === 0 && (
        <p className={styles.note}>An empty result</p>
      )}
    </div>
  )
}

/** The pictures and the sound of a result. */
export function MediaOf({ content }: { content: readonly Record<string, unknown>[] }) {
  const media = content
    .filter(({ type }) => type === 'image' || type === 'audio')
    .slice(0, MAX_BLOCKS)
    .map(readBlock)
  if (media.length === 0) return null
  return (
    <div className={styles.media}>
      {media.map((shown, index) => (
        <BlockView key={index} shown={shown} />
      ))}
    </div>
  )
}

function BlockView({ shown }: { shown: Shown }) {
  switch (shown.type) {
    case 'text':
      return <LongText text={shown.text} />
    case 'json':
      return <JsonView value={shown.value} />
    case 'image':
      return <PictureView base64={shown.base64} />
    case 'audio':
      return PLAYABLE.test(shown.mimeType) && shown.base64.length < MAX_AUDIO ? (
        <audio controls preload="metadata" src={`data:${shown.mimeType};base64,${shown.base64}`} />
      ) : (
        <p className={styles.note}>Sound that cannot be played here ({fileSize(shown.base64.length * 0.75)})</p>
      )
    case 'link':
      return <LinkChip {...shown} />
    case 'resource':
      return <ResourceChip {...shown} />
  }
}

/** Text as it was sent, with its line breaks, unless it is clearly Markdown; the other way is one click away. */
function LongText({ text, isMarkdown }: { text: string; isMarkdown?: boolean | undefined }) {
  const [isWhole, setWhole] = useState(text.length <= MAX_CHARACTERS)
  const guess = useMemo(() => isMarkdown ?? looksLikeMarkdown(text), [text, isMarkdown])
  const [chosen, setChosen] = useState<boolean>()
  const asMarkdown = chosen ?? guess
  const shown = isWhole ? text : text.slice(0, MAX_CHARACTERS)
  // One line without a mark looks the same in both ways.
  const canDiffer = asMarkdown || /[\n`*_#>|[]/.test(text.slice(0, MAX_CHARACTERS).trim())
  return (
    <>
      {asMarkdown ? (
        <Markdown text={shown} />
      ) : (
        <div className={classNames(styles.text, isAligned(shown) && styles.aligned)}>{visibleText(shown)}</div>
      )}
      {(!isWhole || canDiffer) && (
        <div className={styles.ways}>
          {!isWhole && (
            <Button small icon="down" onClick={() => setWhole(true)}>
              Show all {fileSize(bytesOf(text))}
            </Button>
          )}
          {canDiffer && (
            <Button small look="quiet" onClick={() => setChosen(!asMarkdown)}>
              {asMarkdown ? 'Show as text' : 'Show as Markdown'}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

/** Columns and indents line up only where all letters are equally wide. */
const isAligned = (text: string): boolean => /^[ \t]+\S|\S {2,}\S|\t|^[d-][r-][w-]/m.test(text)

function PictureView({ base64 }: { base64: string }) {
  const [raster] = useState(() => readRaster(base64))
  if ('problem' in raster) return <p className={styles.note}>A picture that is not shown: {raster.problem}</p>
  const { address, width, height } = raster
  return <img className={styles.picture} src={address} width={width} height={height} alt="Made by the tool" />
}

/** A link to a resource. It is never read by itself, and opened only where a browser may. */
function LinkChip({ address, name, description }: { address: string; name: string; description: string }) {
  const link = safeLink(address)
  return (
    <p className={styles.chip}>
      <Icon name="external" size={15} />
      <span>
        {link ? (
          <OutgoingLink link={link} text={name}>
            {visibleText(name)}
          </OutgoingLink>
        ) : (
          visibleText(name)
        )}{' '}
        <span className={styles.note}>
          {link ? link.host : visibleText(address)}
          {description && ` · ${visibleText(description)}`}
        </span>
      </span>
    </p>
  )
}

function ResourceChip({
  address,
  text,
  isMarkdown,
  base64,
}: {
  address: string
  text: string | undefined
  isMarkdown?: boolean | undefined
  base64: string | undefined
}) {
  const name = visibleText(address) || 'resource'
  if (text !== undefined) {
    return (
      <details className={styles.resource}>
        <summary>
          {name} <span className={styles.note}>{fileSize(bytesOf(text))}</span>
        </summary>
        <LongText text={text} isMarkdown={isMarkdown} />
      </details>
    )
  }
  const save = () =>
    download(
      fileNameOf(address),
      Uint8Array.from(atob(base64 ?? ''), (one) => one.charCodeAt(0)),
    )
  return (
    <p className={styles.chip}>
      <Icon name="archive" size={15} />
      {name} <span className={styles.note}>{fileSize(Math.floor((base64?.length ?? 0) * 0.75))}</span>
      {base64 && (
        <Button small look="quiet" icon="download" onClick={save}>
          Download
        </Button>
      )}
    </p>
  )
}

/** A file name of harmless letters, whatever the address says. */
const fileNameOf = (address: string): string =>
  (address.split('/').at(-1) ?? '')
    .replace(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-80) || 'resource'
