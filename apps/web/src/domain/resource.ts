// What a server offers beside tools, as the page sees it: every text is a stranger's, and bounded.

export interface ListedResource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** Bytes, where the server says. */
  size?: number
  /** A raster picture as a data: address. */
  icon?: string
}

export interface ListedTemplate {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: string
  icon?: string
}

export interface PromptArgument {
  name: string
  title: string
  description: string
  isRequired: boolean
}

export interface ListedPrompt {
  name: string
  title: string
  description: string
  arguments: PromptArgument[]
  icon?: string
}

/** A list, and how many more there were than anybody looks through. */
export interface Listed<Item> {
  items: Item[]
  leftOut: number
}

/** A piece of a resource. `bytes` may be a picture, sound or anything else: what they are is read from themselves. */
export type ResourcePart =
  | { kind: 'text'; uri: string; mimeType: string; text: string; size: number; isCut: boolean }
  | { kind: 'bytes'; uri: string; mimeType: string; base64: string; size: number }

/** One piece of what a prompt says. A link is only named: nobody reads it but by the user's wish. */
export type PromptPiece = { role: 'user' | 'assistant' } & (
  | { kind: 'text'; text: string }
  | { kind: 'resource'; part: ResourcePart }
  | { kind: 'image' | 'audio'; base64: string; mimeType: string }
  | { kind: 'link'; uri: string; name: string }
  | { kind: 'other'; what: string }
)

export interface FilledPrompt {
  description: string
  pieces: PromptPiece[]
}

/** What can be completed: an argument of a prompt, or a variable of a template. */
export type CompletionOf = { prompt: string } | { template: string }
