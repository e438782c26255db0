import { setTimeout as wait } from 'node:timers/promises'
import { object, text } from '../schema.mjs'

/** Slow, with progress and a log; stops when it is cancelled. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerMakeBackup(server) {
  server.registerTool(
    'make_backup',
    {
      title: 'Make a backup',
      description: 'Pretends to copy files one by one, and tells how far it is. Can be cancelled.',
      inputSchema: object(
        {
          files: { type: 'integer', title: 'Files', minimum: 1, maximum: 100, default: 8 },
          millisecondsPerFile: {
            type: 'integer',
            title: 'Milliseconds per file',
            minimum: 0,
            maximum: 5000,
            default: 500,
          },
        },
        [],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ files = 8, millisecondsPerFile = 500 }, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {}
      await mcpReq.log('info', `A backup of ${files} files begins`, 'backup')
      for (let progress = 1; progress <= files; progress++) {
        await wait(millisecondsPerFile, undefined, { signal: mcpReq.signal })
        if (progressToken === undefined) continue
        const message = `Copied file ${progress} of ${files}`
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: files, message },
        })
      }
      return text(`Copied ${files} files.`)
    },
  )
}
