import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './real-servers.ts'

export interface RealConfiguration {
  /** Whose it is, and the how manyth of that. */
  of: string
  text: string
  /** What it says, read by nothing but JSON.parse. */
  servers: Record<string, { command: string; args: string[]; env?: Record<string, string> }>
}

const PACKAGES = ['server-everything', 'server-filesystem', 'server-memory', 'ext-apps']

/** The configuration files that makers of servers tell their users to paste, out of the packages they publish. */
export function realConfigurations(): RealConfiguration[] {
  return PACKAGES.flatMap((name) => {
    const text = readFileSync(join(folderOf(`@modelcontextprotocol/${name}`), 'README.md'), 'utf8')
    const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    return blocks.flatMap((block, at) => {
      const { mcpServers, servers = mcpServers } = JSON.parse(block) as Partial<
        Record<'mcpServers' | 'servers', RealConfiguration['servers']>
      >
      return servers ? [{ of: `${name}, block ${at + 1}`, text: block, servers }] : []
    })
  })
}
