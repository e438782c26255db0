import type { MCPClient } from '@switchboard/mcp'
import type { Listed, ListedPrompt, PromptArgument } from '#domain/resource.ts'
import { boundedText } from '../describe-tool.ts'
import { isObject } from '../judge-schema.ts'
import { bounded, describe } from '../resources/list-resources.ts'

const MOST_ARGUMENTS = 50
const LONGEST_NAME = 300

function readArgument(given: unknown): PromptArgument[] {
  if (!isObject(given)) return []
  const { name, title, description, required } = given
  // A name that was cut would be another.
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return []
  return [
    {
      name,
      title: boundedText(title, 300),
      description: boundedText(description, 1_000),
      isRequired: required === true,
    },
  ]
}

export async function listPrompts(
  client: MCPClient,
  options: { isFresh: boolean },
): Promise<Listed<ListedPrompt> & { canComplete: boolean }> {
  if (!client.capabilities.prompts) return { items: [], leftOut: 0, canComplete: false }
  const { prompts } = await client.listPrompts(options.isFresh)
  const listed = bounded(prompts, (item): ListedPrompt | undefined => {
    const { name, arguments: given } = item
    if (typeof name !== 'string' || name.length > LONGEST_NAME) return undefined
    const { mimeType: _, ...about } = describe(item)
    return { ...about, arguments: (Array.isArray(given) ? given : []).slice(0, MOST_ARGUMENTS).flatMap(readArgument) }
  })
  return { ...listed, canComplete: client.capabilities.completions !== undefined }
}
