import { useMemo, useState } from 'react'
import type { ResourcePart } from '#domain/resource.ts'
import { fileSize } from '#lib/file-size.ts'
import { readRaster } from '#lib/read-raster.ts'
import { safeFileName } from '#lib/safe-file-name.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { download } from '../download.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { JsonView } from '../result/json-view.tsx'
import styles from './offers.module.css'

/** So much is drawn at first; the rest when somebody wants it. */
const DRAWN = 20_000
const MAX_PARSED = 1_000_000
const PLAYABLE = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|webm|wav|x-wav|wave|flac)$/i
const MARKDOWN = /^text\/(?:x-)?markdown\b/i
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\b/i

/** What is in a resource: data of a stranger, drawn as what it is. A page of HTML is its source here. */
export const ResourceParts = ({ parts }: { parts: readonly ResourcePart[] }) => (
  <div className={styles.parts}>
    {parts.map((part, index) => (
      <section key={index} className={styles.part} aria-label={parts.length > 1 ? `Part ${index + 1}` : 'Contents'}>
        {parts.length > 1 && <h3 className={styles.partName}>{visibleText(part.uri)}</h3>}
        {part.kind === 'text' ? <TextPart part={part} /> : <BytesPart part={part} />}
      </section>
    ))}
  </div>
)

const LOSSLESS = 'text/plain;charset=utf-8'

function TextPart({ part }: { part: Extract<ResourcePart, { kind: 'text' }> }) {
  const { text, mimeType, uri, size, isCut } = part
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, DRAWN)
  return (
    <>
      <TextContents text={shown} mimeType={mimeType} isWhole={shown.length === text.length} />
      <div className={styles.buttons}>
        {shown.length < text.length && (
          <Button small icon="down" onClick={() => setWhole(true)}>
            Show all {fileSize(size)}
          </Button>
        )}
        <CopyButton text={text} withWords />
        <Button
          small
          look="quiet"
          icon="download"
          onClick={() => download(safeFileName(uri, 'resource.txt'), new Blob([text], { type: LOSSLESS }))}
        >
          Download
        </Button>
        {isCut && <span className={styles.note}>The server sent more: only the first part was kept.</span>}
      </div>
    </>
  )
}

function TextContents({ text, mimeType, isWhole }: { text: string; mimeType: string; isWhole: boolean }) {
  if (MARKDOWN.test(mimeType)) return <Markdown text={text} />
  const value = JSON_TYPE.test(mimeType) && isWhole && text.length < MAX_PARSED ? parsed(text) : undefined
  if (value !== undefined) return <JsonView value={value} />
  return (
    // What scrolls must be reachable by keyboard.
    <pre className={styles.text} tabIndex={0}>
      {visibleText(text)}
    </pre>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function BytesPart({ part: { base64, mimeType, uri, size } }: { part: Extract<ResourcePart, { kind: 'bytes' }> }) {
  const raster = useMemo(() => readRaster(base64), [base64])
  const name = safeFileName(uri)
  const isPicture = !('problem' in raster)
  return (
    <>
      {isPicture ? (
        <img className={styles.picture} src={raster.address} width={raster.width} height={raster.height} alt={name} />
      ) : PLAYABLE.test(mimeType) ? (
        <audio controls preload="metadata" src={`data:${mimeType};base64,${base64}`} />
      ) : (
        <p className={styles.note}>
          {/^image\//i.test(mimeType)
            ? `A picture that is not shown: ${raster.problem}.`
            : 'Not text: it can be saved, and is not opened here.'}
        </p>
      )}
      <div className={styles.buttons}>
        <Button
          small
          icon="download"
          onClick={() =>
            download(
              name,
              Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)),
            )
          }
        >
          Download {fileSize(size)}
        </Button>
        <span className={styles.note}>
          {visibleText(mimeType)}
          {isPicture && ` · ${raster.width} × ${raster.height}`}
        </span>
      </div>
    </>
  )
}
