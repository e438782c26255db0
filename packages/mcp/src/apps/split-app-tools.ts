import { isObject } from '../jsonrpc.ts'
import type { ListToolsResult, Tool } from '../model.ts'
import { readMCPAppToolMeta } from './app-tool-meta.ts'

/** Tools by who may call them. */
export interface SplitTools<T> {
  /** For the model. */
  modelVisible: T
  /** For the pages of the apps. */
  appVisible: T
  /** For nobody: what they say of their app makes no sense. */
  refused: { name: string; reason: string }[]
}

/** Tells the tools of the model from those that only the page of an app may call. */
export function splitMCPAppTools<T extends Pick<ListToolsResult, 'tools'>>(definitions: T): SplitTools<T> {
  const modelVisible: Tool[] = []
  const appVisible: Tool[] = []
  const refused: SplitTools<T>['refused'] = []
  for (const tool of definitions.tools) {
    if (!isObject(tool)) continue
    try {
      const { visibility = ['model'] } = readMCPAppToolMeta(tool) ?? {}
      if (visibility.includes('model')) modelVisible.push(tool)
      if (visibility.includes('app')) appVisible.push(tool)
    } catch (error) {
      refused.push({
        name: typeof tool.name === 'string' ? tool.name : 'what has no name',
        reason: (error as Error).message,
      })
    }
  }
  return {
    modelVisible: { ...definitions, tools: modelVisible },
    appVisible: { ...definitions, tools: appVisible },
    refused,
  }
}
