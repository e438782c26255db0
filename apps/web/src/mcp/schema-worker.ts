// A worker of its own: a pattern of a stranger may keep it busy for ever, and then it is ended.
import { matchSchema } from './match-schema.ts'

self.onmessage = ({ data }: MessageEvent<{ schema: string; value: string }>) =>
  self.postMessage(matchSchema(data.schema, data.value))
self.postMessage('ready')
