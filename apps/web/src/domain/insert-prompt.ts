import { visibleText } from '#lib/visible-text.ts'
import { PROMPT_TYPE } from './attachment-limits.ts'
import { attachmentOf, type Origin } from './attachments.ts'
import type { Attachment } from './message.ts'
import type { FilledPrompt, PromptPiece } from './resource.ts'

/** What a filled prompt puts into the composer, where the user reads and changes it. Nothing of it is sent by itself. */
export interface Inserted {
  text: string
  attachments: Attachment[]
  /** What could not be taken along, in words. */
  problems: string[]
}

/** Words that a server puts into the mouth of the assistant are quoted, with who says so. */
const quoted = (text: string, { serverName }: Origin): string =>
  `> (${serverName} has the assistant say:)\n${text.replace(/^/gm, '> ')}`

const nameOf = (uri: string): string => uri.split('/').findLast(Boolean) ?? uri

function insertPiece(piece: PromptPiece, origin: Origin): Partial<Inserted> {
  switch (piece.kind) {
    case 'text': {
      const text = visibleText(piece.text)
      return { text: piece.role === 'user' ? text : quoted(text, origin) }
    }
    case 'resource': {
      const made = attachmentOf(piece.part, origin, visibleText(nameOf(piece.part.uri)))
      return 'problem' in made ? { problems: [made.problem] } : { attachments: [made] }
    }
    case 'image':
    case 'audio': {
      const { kind, base64, mimeType } = piece
      const part = { kind: 'bytes' as const, uri: '', mimeType, base64, size: Math.floor(base64.length * 0.75) }
      const made = attachmentOf(part, origin, kind === 'image' ? 'picture' : 'audio')
      return 'problem' in made ? { problems: [made.problem] } : { attachments: [made] }
    }
    case 'link':
      return { text: `[${visibleText(piece.name)}: ${visibleText(piece.uri)}]` }
    case 'other':
      return { problems: [`${piece.what} was left out: a message takes text, pictures and audio.`] }
  }
}

export function insertPrompt({ pieces }: FilledPrompt, origin: Origin, name: string): Inserted {
  const made = pieces.map((piece) => insertPiece(piece, origin))
  const text = made.flatMap((one) => one.text ?? []).join('\n\n')
  // It keeps in sight, and in the rules for approvals, that these words are a server's.
  const source: Attachment = {
    type: 'attachment',
    ...origin,
    uri: '',
    name: visibleText(name).slice(0, 300),
    mimeType: PROMPT_TYPE,
    size: 0,
  }
  return {
    text,
    attachments: [...(text === '' ? [] : [source]), ...made.flatMap((one) => one.attachments ?? [])],
    problems: made.flatMap((one) => one.problems ?? []),
  }
}
