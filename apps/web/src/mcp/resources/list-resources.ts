import type { MCPClient } from '@switchboard/mcp'
import type { Listed, ListedResource, ListedTemplate } from '#domain/resource.ts'
import { boundedText } from '../describe-tool.ts'
import { isObject } from '../judge-schema.ts'
import { readIcon } from './read-icon.ts'

/** More than this nobody looks through, and a screen would stand still. */
export const MOST_LISTED = 2_000

const LONGEST_ADDRESS = 4_000

/** The first of a list that can be used, and how many more there were. */
export function bounded<Item>(
  list: readonly unknown[],
  read: (item: Record<string, unknown>) => Item | undefined,
): Listed<Item> {
  const items: Item[] = []
  for (const item of list) {
    if (items.length === MOST_LISTED) break
    const made = isObject(item) ? read(item) : undefined
    if (made !== undefined) items.push(made)
  }
  return { items, leftOut: list.length - items.length }
}

export function describe({ name, title, description, mimeType, icons }: Record<string, unknown>) {
  const icon = readIcon(icons)
  return {
    name: boundedText(name, 300),
    title: boundedText(title, 300),
    description: boundedText(description, 2_000),
    mimeType: boundedText(mimeType, 200),
    ...(icon !== undefined && { icon }),
  }
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_ADDRESS

export async function listResources(
  client: MCPClient,
  options: { isFresh: boolean },
): Promise<Listed<ListedResource> & { canWatch: boolean }> {
  const { resources: offered } = client.capabilities
  if (!offered) return { items: [], leftOut: 0, canWatch: false }
  const { resources } = await client.listResources(options.isFresh)
  const listed = bounded(resources, (item): ListedResource | undefined => {
    const { uri, size } = item
    if (!isAddress(uri)) return undefined
    return { uri, ...describe(item), ...(typeof size === 'number' && size >= 0 && { size }) }
  })
  return { ...listed, canWatch: offered.subscribe === true }
}

export async function listTemplates(
  client: MCPClient,
  options: { isFresh: boolean },
): Promise<Listed<ListedTemplate> & { canComplete: boolean }> {
  const { resources: offered, completions } = client.capabilities
  if (!offered) return { items: [], leftOut: 0, canComplete: false }
  const { resourceTemplates } = await client.listResourceTemplates(options.isFresh)
  const listed = bounded(resourceTemplates, (item): ListedTemplate | undefined => {
    const { uriTemplate } = item
    return isAddress(uriTemplate) ? { uriTemplate, ...describe(item) } : undefined
  })
  return { ...listed, canComplete: completions !== undefined }
}
