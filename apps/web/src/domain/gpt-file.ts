import * as z from 'zod/mini'
import { Failed } from './failure.ts'
import { fileName } from './file-name.ts'
import { type Gpt, gptSchema } from './gpt.ts'
import { type Server, serverSchema } from './server.ts'
import { textSchema } from './text.ts'

const FORMAT = 'switchboard-gpt'
const LONGEST = 2_000_000

const portable = z.pick(gptSchema, {
  name: true,
  description: true,
  icon: true,
  instructions: true,
  settings: true,
  starters: true,
})

const portableServer = z.extend(
  z.pick(serverSchema, { name: true, description: true, transport: true, companionName: true, url: true }),
  { disabledTools: z.array(textSchema(1_000)).check(z.maxLength(1_000)) },
)
export type PortableServer = z.infer<typeof portableServer>

const gptFileSchema = z.extend(portable, {
  format: z.literal(FORMAT),
  version: z.literal(1),
  /** What it was made with, as a hint: whoever opens it has models of their own. */
  model: z.optional(textSchema(200)),
  servers: z.array(portableServer).check(z.maxLength(50)),
})
export type GptFile = z.infer<typeof gptFileSchema>

/** Addresses can hold a key in their query; a file that is handed around must not. */
const withoutQuery = (url: string): string => {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  parsed.search = ''
  return parsed.href
}

/** A GPT as a file for others: what it is and which servers it uses, without secrets, trust, grants or chats. */
export function writeGptFile(gpt: Gpt, servers: readonly Server[]): { name: string; text: string } {
  const file: GptFile = {
    format: FORMAT,
    version: 1,
    name: gpt.name,
    description: gpt.description,
    icon: gpt.icon,
    instructions: gpt.instructions,
    settings: gpt.settings,
    starters: gpt.starters,
    ...(gpt.model.modelId && { model: gpt.model.modelId.slice(0, 200) }),
    servers: servers
      .filter(({ id, transport }) => gpt.tools.serverIds.includes(id) && transport !== 'custom')
      .map(({ id, name, description, transport, companionName, url }) => ({
        name,
        description,
        transport,
        url: withoutQuery(url),
        ...(companionName !== undefined && { companionName }),
        disabledTools: gpt.tools.disabledTools
          .filter(({ serverId }) => serverId === id)
          .map(({ toolName }) => toolName.slice(0, 1_000)),
      })),
  }
  return { name: `${fileName(gpt.name, 'gpt')}.gpt.json`, text: `${JSON.stringify(file, null, 2)}\n` }
}

/** Rejects with `Failed` and what is wrong with the file. */
export function readGptFile(text: string): GptFile {
  if (text.length > LONGEST) throw new Failed('bad-input', 'This file is larger than any GPT can be.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failed('bad-input', 'This file is no JSON, so it is no GPT.')
  }
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (format !== FORMAT) throw new Failed('bad-input', 'This file holds no GPT of this app.')
  if (version !== 1) throw new Failed('bad-input', 'This GPT was made by a newer version of this app.')
  const parsed = z.safeParse(gptFileSchema, value)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.map(String).join('.')
  throw new Failed('bad-input', `This GPT cannot be read: its ${field || 'content'} is not what it should be.`)
}

/** Whether a server that is here is the one that a file speaks of. */
export const isSamePlace = (
  known: Pick<Server, 'transport' | 'url' | 'companionName'>,
  { transport, url, companionName }: PortableServer,
): boolean =>
  known.transport === transport &&
  (transport === 'stdio' ? known.companionName === companionName : withoutQuery(known.url) === withoutQuery(url))
