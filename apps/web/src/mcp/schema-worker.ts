// A worker of its own: a pattern of a stranger may keep it busy for ever, and then it is ended.
import { matchSchema } from './match-schema.ts'

self.onmessage = ({ data }: MessageEvent<{ schema: string; value: string }>) => {
  // The time of a check begins here: that a busy machine gets to it late is no fault of the schema.
  self.postMessage('begun')
  self.postMessage(matchSchema(data.schema, data.value))
}
self.postMessage('ready')
