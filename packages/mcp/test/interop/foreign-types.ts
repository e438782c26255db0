// Held by the compiler, never run: a line breaks the type-check when a type of ours drifts from the official ones.
import type { MCPTransport } from '@ai-sdk/mcp'
import type * as V2 from '@modelcontextprotocol/client'
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type * as Spec from '@modelcontextprotocol/sdk/spec.types.js'
import type * as Ours from '@switchboard/mcp'

/** Types made from schemas say `name?: T | undefined` where JSON, and we, know only `name?: T`. */
type Json<T> = T extends readonly (infer Item)[]
  ? Json<Item>[]
  : T extends object
    ? { [Key in keyof T]: Json<Exclude<T[Key], undefined>> }
    : T

/** One transport for anybody's client. */
export const transports = {
  v1: (transport: Ours.HttpTransport): V1Transport => transport,
  v2: (transport: Ours.HttpTransport): V2.Transport => transport,
  aiSdk: (transport: Ours.HttpTransport): MCPTransport => transport,
}

/** What a server may send by the text of the specification, our types can hold. */
export const specToOurs = {
  tool: (value: Spec.Tool): Ours.Tool => value,
  content: (value: Spec.ContentBlock): Ours.ContentBlock => value,
  callResult: (value: Spec.CallToolResult): Ours.CallToolResult => value,
  tools: (value: Spec.ListToolsResult): Ours.ListToolsResult => value,
  resource: (value: Spec.Resource): Ours.Resource => value,
  template: (value: Spec.ResourceTemplate): Ours.ResourceTemplate => value,
  resources: (value: Spec.ListResourcesResult): Ours.ListResourcesResult => value,
  templates: (value: Spec.ListResourceTemplatesResult): Ours.ListResourceTemplatesResult => value,
  read: (value: Spec.ReadResourceResult): Ours.ReadResourceResult => value,
  prompt: (value: Spec.Prompt): Ours.Prompt => value,
  prompts: (value: Spec.ListPromptsResult): Ours.ListPromptsResult => value,
  filledPrompt: (value: Spec.GetPromptResult): Ours.GetPromptResult => value,
  completion: (value: Spec.CompleteResult): Ours.CompleteResult => value,
  level: (value: Spec.LoggingLevel): Ours.LogLevel => value,
}

/** The same for the types of the official client of 2026-07-28. */
export const v2ToOurs = {
  tool: (value: Json<V2.Tool>): Ours.Tool => value,
  content: (value: Json<V2.ContentBlock>): Ours.ContentBlock => value,
  callResult: (value: Json<V2.CallToolResult>): Ours.CallToolResult => value,
  resource: (value: Json<V2.Resource>): Ours.Resource => value,
  prompt: (value: Json<V2.Prompt>): Ours.Prompt => value,
  read: (value: Json<V2.ReadResourceResult>): Ours.ReadResourceResult => value,
  filledPrompt: (value: Json<V2.GetPromptResult>): Ours.GetPromptResult => value,
  completion: (value: Json<V2.CompleteResult>): Ours.CompleteResult => value,
  greeting: (value: Json<V2.InitializeResult>): Ours.InitializeResult => value,
}

/** What we hand out can be handed on to code that was written for the official types. */
export const oursToV2 = {
  tool: (value: Ours.Tool): V2.Tool => value,
  content: (value: Ours.ContentBlock): V2.ContentBlock => value,
  callResult: (value: Ours.CallToolResult): V2.CallToolResult => value,
  resource: (value: Ours.Resource): V2.Resource => value,
  prompt: (value: Ours.Prompt): V2.Prompt => value,
  message: (value: Ours.PromptMessage): V2.PromptMessage => value,
  root: (value: Ours.Root): V2.Root => value,
  level: (value: Ours.LogLevel): V2.LoggingLevel => value,
  implementation: (value: Ours.Implementation): V2.Implementation => value,
}

/** What we say to a server is what the specification lets a client say. */
export const oursToSpec = {
  root: (value: Ours.Root): Spec.Root => value,
  level: (value: Ours.LogLevel): Spec.LoggingLevel => value,
  implementation: (value: Ours.Implementation): Spec.Implementation => value,
  completionAsked: (value: Ours.CompleteParams): Omit<Spec.CompleteRequestParams, '_meta'> => value,
}
