import type { CompleteParams, CompleteResult } from '../model.ts'
import type { Connection, WithOptions } from './connection.ts'
import { request } from './request.ts'

/** What a prompt's argument or a template's variable could be. */
export async function complete(
  connection: Connection,
  { options, ...params }: WithOptions<CompleteParams>,
): Promise<CompleteResult> {
  return (await request(connection, 'completion/complete', params, options)) as unknown as CompleteResult
}
