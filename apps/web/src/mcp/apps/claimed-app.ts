import { readMCPAppToolMeta, type Tool } from '@switchboard/mcp'
import type { FoundTool } from '#domain/server.ts'

const LONGEST_ADDRESS = 2_000

/** What a tool says of a screen. */
export interface ClaimedApp {
  found: Pick<FoundTool, 'appUri' | 'appMayCall'>
  /** Otherwise it is for the screens of its server alone. */
  isForModel: boolean
  problem?: string
}

/** What a tool says of the screen that it brings, and of who may call it; by itself that is everybody. */
export function claimedApp(tool: Pick<Tool, '_meta'>): ClaimedApp {
  try {
    const { resourceUri, visibility } = readMCPAppToolMeta(tool) ?? {}
    return {
      found: {
        ...(resourceUri !== undefined && resourceUri.length <= LONGEST_ADDRESS && { appUri: resourceUri }),
        ...(visibility && !visibility.includes('app') && { appMayCall: false }),
      },
      isForModel: visibility?.includes('model') ?? true,
    }
  } catch {
    return { found: {}, isForModel: false, problem: 'What it says of its screen makes no sense.' }
  }
}
