import type { Connection, RequestOptions } from '../client/connection.ts'
import { failure } from '../failure.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, ListToolsResult, ToolAnnotations } from '../model.ts'
import { AISchema, asAISchema, validatorOf } from './ai-schema.ts'
import { appOfTool } from './app-of-tool.ts'
import { readInputSchema } from './input-schema.ts'
import { readOutput } from './read-output.ts'
import type { MediaParts, ModelOutput } from './to-model-output.ts'
import type { AITool, McpProviderMetadata, ToolCallOptions, ToolsOptions } from './tool-set.ts'

/** What tools need of the client they belong to. */
export interface Caller {
  listTools(): Promise<ListToolsResult>
  callTool(call: { name: string; arguments?: JsonObject; options?: RequestOptions }): Promise<CallToolResult>
}

/** What the tools of one set share. */
export interface Origin {
  readonly connection: Connection
  readonly client: Caller
  readonly onProgress: ToolsOptions['onProgress']
  /** Which version of `ai` runs them, as far as its calls have shown. */
  parts: MediaParts
}

/** One definition as a tool of the AI SDK, with the schemas of the server or of the user; throws where it would be none. */
export function convertTool(
  origin: Origin,
  name: string,
  definition: JsonObject,
  own: { inputSchema: object; outputSchema?: object } | undefined,
  toModelOutput: (given: unknown) => ModelOutput,
): AITool<JsonObject, unknown> {
  const { description, inputSchema, _meta } = definition
  const metadata = readMetadata(origin, name, definition)
  const about = typeof description === 'string' ? description : undefined
  if (!own) {
    return {
      description: about,
      title: metadata.title,
      metadata,
      inputSchema: new AISchema(readInputSchema(inputSchema)),
      execute: (args: JsonObject, options?: ToolCallOptions) => call(origin, name, args, options),
      toModelOutput,
      type: 'dynamic',
      _meta,
    } as AITool<JsonObject, unknown>
  }
  const { outputSchema } = own
  return {
    description: about,
    title: metadata.title,
    metadata,
    inputSchema: asAISchema(own.inputSchema, () => readInputSchema(inputSchema)),
    ...(outputSchema && { outputSchema: asAISchema(outputSchema, () => ({})) }),
    execute: outputSchema
      ? callTyped(origin, name, outputSchema)
      : (args: JsonObject, options?: ToolCallOptions) => call(origin, name, args, options),
    toModelOutput,
    _meta,
  } as AITool<JsonObject, unknown>
}

async function call(
  origin: Origin,
  name: string,
  args: JsonObject | undefined,
  options: ToolCallOptions | undefined,
): Promise<CallToolResult> {
  // Only version 7 has a context; who calls a tool by hand tells nothing of a version.
  if (options?.toolCallId !== undefined) origin.parts = 'context' in options ? 7 : 6
  const { onProgress } = origin
  return origin.client.callTool({
    name,
    arguments: args ?? {},
    options: {
      signal: options?.abortSignal,
      // Asked for in any case: a slow tool that shows progress is not taken for dead.
      onProgress: (progress) => onProgress?.(progress, { toolName: name, toolCallId: options?.toolCallId }),
    },
  })
}

function callTyped(origin: Origin, name: string, outputSchema: object): AITool<JsonObject, unknown>['execute'] {
  const validate = validatorOf(outputSchema)
  const about = { method: 'tools/call', params: { name } }
  return async (args, options) => {
    const result = await call(origin, name, args, options)
    if (result.isError) return result
    return readOutput(result, validate, (text, cause) =>
      failure(origin.connection.place, about, text, 'protocol', { cause }),
    )
  }
}

function readMetadata(
  { connection }: Origin,
  toolName: string,
  { title, annotations, _meta }: JsonObject,
): McpProviderMetadata {
  const metadata: McpProviderMetadata = { clientName: connection.clientInfo.name, toolName }
  const hints = isObject(annotations) ? readHints(annotations) : undefined
  const shown = typeof title === 'string' ? title : hints?.title
  if (shown !== undefined) metadata.title = shown
  if (hints) metadata.annotations = hints
  const app = isObject(_meta) ? appOfTool(_meta) : undefined
  if (app) metadata.app = app
  return metadata
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** The claims that the protocol knows, where they are of its kind. */
function readHints(annotations: JsonObject): ToolAnnotations {
  const hints: ToolAnnotations = {}
  if (typeof annotations['title'] === 'string') hints.title = annotations['title']
  for (const hint of HINTS) {
    const value = annotations[hint]
    if (typeof value === 'boolean') hints[hint] = value
  }
  return hints
}
