import { must } from '../errors.ts'
import type { JsonObject } from '../jsonrpc.ts'
import type { GetPromptResult } from '../model.ts'
import type { Connection, WithOptions } from './connection.ts'
import { request } from './request.ts'

/** The messages of a prompt, filled with its arguments. */
export async function getPrompt(
  connection: Connection,
  { name, arguments: args = {}, options }: WithOptions<{ name: string; arguments?: JsonObject | undefined }>,
): Promise<GetPromptResult> {
  must(typeof name === 'string', 'The name of the prompt must be a string')
  return (await request(connection, 'prompts/get', { name, arguments: args }, options)) as unknown as GetPromptResult
}
