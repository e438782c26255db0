import {
  detectMCPAppResourceDrift,
  detectToolDrift,
  fingerprintMCPAppResource,
  fingerprintTools,
  mcpAppClientCapabilities,
  readMCPAppResource,
  splitMCPAppTools,
} from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { connect, type Surroundings } from './surroundings.ts'

const PAGE = 'ui://debug-tool/mcp-app.html'

export function describeApps(surroundings: Surroundings): void {
  describe('an MCP Apps example server', () => {
    const open = () => connect(surroundings, surroundings.servers().apps)

    it('[I-A1] the session era is found, although the server keeps no session', async () => {
      const client = await open()
      expect(client.getProtocolVersion()).toBe('2025-11-25')
      expect(client.getSessionId()).toBeUndefined()
      expect(client.serverInfo).toMatchObject({ name: 'Debug MCP App Server' })
    })

    it('[I-A2] a tool keeps what it says about its page and who may see it', async () => {
      const { tools } = await (await open()).listTools()
      expect(tools.map((tool) => tool.name)).toEqual(['debug-tool', 'debug-refresh', 'debug-log'])
      expect(tools[0]?._meta).toMatchObject({ ui: { resourceUri: PAGE } })
      expect(tools[1]?._meta).toMatchObject({ ui: { visibility: ['app'] } })
    })

    it('[I-A3] a tool answers with text, structured content, an image, a failure', async () => {
      const client = await open()
      const text = await client.call('debug-tool', { contentType: 'text' })
      expect(text).toMatchObject({ isError: false, text: expect.any(String) })
      const image = await client.callTool({ name: 'debug-tool', arguments: { contentType: 'image' } })
      expect(image.content).toContainEqual(expect.objectContaining({ type: 'image' }))
      const failed = await client.call('debug-tool', { simulateError: true })
      expect(failed.isError).toBe(true)
    })

    it('[I-A4] the page of the tool is read whole', async () => {
      const client = await open()
      expect((await client.listResources()).resources).toMatchObject([
        { uri: PAGE, mimeType: 'text/html;profile=mcp-app' },
      ])
      const [page] = (await client.readResource({ uri: PAGE })).contents
      expect(page).toMatchObject({ uri: PAGE, mimeType: 'text/html;profile=mcp-app' })
      const html = (page as { text: string }).text
      expect(html.length).toBeGreaterThan(100_000)
      expect(html.trimEnd()).toMatch(/<\/html>$/)
    })

    it('[I-A5] a stream on which nothing ever comes does not keep the client from closing', async () => {
      const client = await open()
      await client.openStream()
      await expect(client.close()).resolves.toBeUndefined()
      await expect(client.listTools(true)).rejects.toMatchObject({ reason: 'closed' })
    })

    it('[I-A6] the tools of the model and of the page are told apart, and the page is read', async () => {
      const client = await connect(surroundings, surroundings.servers().apps, {
        capabilities: mcpAppClientCapabilities,
      })
      const { modelVisible, appVisible, refused } = splitMCPAppTools(await client.listTools())
      expect(modelVisible.tools.map((tool) => tool.name)).toEqual(['debug-tool'])
      expect(appVisible.tools.map((tool) => tool.name)).toEqual(['debug-refresh', 'debug-log'])
      expect(refused).toEqual([])
      const page = await readMCPAppResource({ client, uri: PAGE })
      expect(page).toMatchObject({ uri: PAGE, mimeType: 'text/html;profile=mcp-app' })
      expect(page.html.trimEnd()).toMatch(/<\/html>$/)
    })

    it('[I-A7] tools and page have the same fingerprints in every connection', async () => {
      const endpoint = surroundings.servers().apps
      const look = async () => {
        const client = await open()
        const tools = await fingerprintTools(await client.listTools(), { endpoint })
        return { tools, page: await fingerprintMCPAppResource(await readMCPAppResource({ client, uri: PAGE })) }
      }
      const [then, now] = [await look(), await look()]
      expect(Object.keys(then.tools)).toEqual(['debug-tool', 'debug-refresh', 'debug-log'])
      expect(detectToolDrift(now.tools, then.tools)).toEqual({ added: [], removed: [], changed: [] })
      expect(detectMCPAppResourceDrift(now.page, then.page)).toBe(false)
    })
  })
}
