// Watch a slow tool, and stop it.
import { MCPClient } from '@switchboard/mcp'

const client = new MCPClient(process.argv[2] ?? 'http://localhost:4114/demo/mcp')
const stop = new AbortController()

try {
  await client.callTool({
    name: 'make_backup',
    arguments: { files: 50, millisecondsPerFile: 20 },
    options: {
      signal: stop.signal, // the server is told, in either era
      timeout: 10_000, // without a sign of life; progress begins it anew
      onProgress: ({ progress, total, message }) => {
        console.log(`${progress}/${total} ${message}`)
        if (progress === 3) stop.abort(new Error('That is enough'))
      },
    },
  })
} catch (error) {
  console.log(error.message) // your own reason, as it is: That is enough
}

await client.close()
