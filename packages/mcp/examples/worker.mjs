// The client in a worker: nothing of it runs on the thread of the page.
import { MCPClient } from './switchboard/index.js' // the dist folder of the package, copied beside it

let client
self.onmessage = async ({ data: { server, tool, args } }) => {
  client ??= new MCPClient(server)
  try {
    const { text, isError } = await client.call(tool, args, {
      onProgress: ({ progress, total }) => self.postMessage({ progress, total }),
    })
    self.postMessage({ text, isError })
  } catch (error) {
    self.postMessage({ text: error.message, isError: true })
  }
}
