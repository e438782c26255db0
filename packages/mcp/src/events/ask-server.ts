import type { Connection, RequestOptions } from '../client/connection.ts'
import { request } from '../client/request.ts'
import type { JsonObject } from '../jsonrpc.ts'

/** Asks for something of events. All of it can be asked twice: who subscribes again has the same subscription. */
export const askServer = (
  connection: Connection,
  method: string,
  params: JsonObject | undefined,
  options: RequestOptions | undefined,
): Promise<JsonObject> => request(connection, method, params, { ...options, repeatable: true })
