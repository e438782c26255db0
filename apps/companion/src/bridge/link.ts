import type { JsonObject, JsonRpcRequest } from '@switchboard/mcp'
import type { Call } from './call.ts'

/** A program that answers requests without a session, whatever it speaks itself. */
export interface Link {
  /** Answers the request through its call. */
  take(call: Call, request: JsonRpcRequest): void
  /** Whether somebody waits for the program or listens to it. */
  isBusy(): boolean
}

export const metaOf = ({ params }: { params?: JsonObject | undefined }): JsonObject => {
  const meta = params?.['_meta']
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? (meta as JsonObject) : {}
}
