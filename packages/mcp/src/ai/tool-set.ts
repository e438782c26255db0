import type { MCPAppToolMeta } from '../apps/app-tool-meta.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { CallToolResult, Progress, ToolAnnotations } from '../model.ts'

// The AI SDK names its parts by symbols of one copy of it, and two copies never fit each other. Nothing of it is named here:
// where a version of it wants a type of its own, `any` fits all of them.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Any = any

/** What the AI SDK says of a call. All of it may be left out. */
export interface ToolCallOptions {
  toolCallId?: string
  messages?: Any[]
  /** Ends the call; the server is told. */
  abortSignal?: AbortSignal | undefined
  [key: string]: Any
}

/** What is known of a tool besides what the model reads; the AI SDK hands it on as `toolMetadata` of a call. */
export interface McpProviderMetadata {
  clientName: string
  toolName: string
  title?: string
  /** Claims of the server. */
  annotations?: ToolAnnotations
  /** Of a tool with a page of its own (MCP Apps). */
  app?: MCPAppToolMeta & { resourceUri: string; mimeType: string }
}

/** A tool for `generateText`, `streamText` and agents of the AI SDK 5, 6 and 7. */
export interface AITool<Input = unknown, Output = CallToolResult> {
  description?: string
  title?: string
  /** {@link McpProviderMetadata} */
  metadata?: Any
  inputSchema: Any
  execute: (input: Input, options?: ToolCallOptions) => Promise<Output>
  toModelOutput?: (...given: Any[]) => Any
  _meta?: JsonObject
}

/** What a schema lets through: Zod 3 and 4, anything with Standard Schema, `jsonSchema<T>()` of the AI SDK, a function that gives one. */
export type InferSchema<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : S extends (...given: Any[]) => infer R
    ? InferSchema<R>
    : S extends { readonly _type: infer T }
      ? T
      : S extends { readonly _output: infer T }
        ? T
        : unknown

/** The tools wanted, with schemas of your own; `'automatic'` is all of them, as the server describes them. */
export type ToolSchemas = Record<string, { inputSchema: object; outputSchema?: object }> | 'automatic' | undefined

/** What can be said of a set of tools. */
export interface ToolsOptions<S extends ToolSchemas = 'automatic'> {
  schemas?: S
  /** Hears how far a tool is. With it or without, progress begins the idle time of a call anew. */
  onProgress?: ((progress: Progress, call: { toolName: string; toolCallId?: string | undefined }) => void) | undefined
}

/** The tools that `tools({ schemas })` gives. */
export type ToolSetOf<S extends ToolSchemas = 'automatic'> =
  S extends Record<string, { inputSchema: object }>
    ? {
        [K in keyof S]: AITool<
          InferSchema<S[K]['inputSchema']>,
          S[K] extends { outputSchema: infer X extends object } ? InferSchema<X> : CallToolResult
        > & { type?: undefined }
      }
    : Record<string, AITool & { type: 'dynamic' }>
