import type { FilledPrompt, PromptPiece } from '#domain/resource.ts'
import { visibleText } from '#lib/visible-text.ts'
import styles from './offers.module.css'
import { ResourceParts } from './resource-parts.tsx'

/** The messages that a prompt becomes, before anything is done with them. */
export const PromptPreview = ({ prompt, serverName }: { prompt: FilledPrompt; serverName: string }) => (
  <section className={styles.preview} aria-label="Preview">
    {prompt.description && <p className={styles.note}>{visibleText(prompt.description)}</p>}
    {prompt.pieces.length === 0 && <p className={styles.note}>The prompt is empty.</p>}
    {prompt.pieces.map((piece, index) => (
      <article key={index} className={styles.piece}>
        <h3 className={styles.role}>
          {piece.role === 'user' ? 'Your message' : `${serverName} has the assistant say`}
        </h3>
        <Piece piece={piece} />
      </article>
    ))}
  </section>
)

function Piece({ piece }: { piece: PromptPiece }) {
  switch (piece.kind) {
    case 'text':
      return <div className={styles.words}>{visibleText(piece.text)}</div>
    case 'resource':
      return <ResourceParts parts={[piece.part]} />
    case 'image':
    case 'audio':
      return (
        <ResourceParts
          parts={[
            {
              kind: 'bytes',
              uri: piece.kind === 'image' ? 'picture' : 'audio',
              mimeType: piece.mimeType,
              base64: piece.base64,
              size: Math.floor(piece.base64.length * 0.75),
            },
          ]}
        />
      )
    case 'link':
      return (
        <p>
          {visibleText(piece.name)} <span className={styles.note}>{visibleText(piece.uri)} (named only, not read)</span>
        </p>
      )
    case 'other':
      return <p className={styles.note}>{piece.what}, which is left out.</p>
  }
}
