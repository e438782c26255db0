import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from '#storage/db.ts'
import { createGpts } from '#storage/gpts.ts'
import { grantOf, serverInput } from '#storage/sample-rows.ts'
import { createServers } from '#storage/servers.ts'
import { dataCommands } from './data-commands.ts'
import type { EngineParts } from './engine-parts.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  const gpts = createGpts(db)
  const servers = createServers(db)
  const known = await servers.add(serverInput({ name: 'Files', trusted: true }))
  const commands = dataCommands({ db, gpts, servers } as unknown as EngineParts)
  const { id: gptId } = await gpts.create({ name: 'Runner' })
  await gpts.update(gptId, { tools: { serverIds: [known.id], disabledTools: [], approval: 'auto' } })
  const { text } = await commands.exportGpt({ gptId })
  // As somebody would write it who wants to be trusted.
  const file = JSON.parse(text) as { servers: object[]; tools: object }
  file.tools = { approval: 'auto', trustedTools: [{ serverId: known.id, toolName: 'delete', fingerprint: 'f' }] }
  file.servers.push({ ...file.servers[0], name: 'New', url: 'https://new.example/mcp', trusted: true, enabled: true })
  return { db, gpts, servers, known, commands, text: JSON.stringify(file) }
}

test('an imported GPT always asks, and its new servers are untrusted and switched off', async () => {
  const { gpts, servers, commands, text } = await begin()
  const { gptId } = await commands.importGpt({ text })
  expect((await gpts.gpt(gptId))?.tools).toMatchObject({ approval: 'always-ask', trustedTools: [] })
  const added = (await servers.servers()).find(({ name }) => name === 'New')
  expect(added).toMatchObject({ trusted: false, enabled: false, relay: false })
})

test('the preview of a GPT names the tools that every GPT may already use', async () => {
  const { db, known, commands, text } = await begin()
  expect((await commands.readGptFile({ text })).allowedEverywhere).toEqual([])
  await db.grants.bulkAdd([
    grantOf({ serverId: known.id, serverName: 'Files', toolName: 'read' }),
    grantOf({ serverId: known.id, serverName: 'Files', toolName: 'delete', scope: 'gpt', scopeId: 'another' }),
    grantOf({ serverId: 'elsewhere', toolName: 'send' }),
  ])
  expect((await commands.readGptFile({ text })).allowedEverywhere).toEqual([{ serverName: 'Files', toolName: 'read' }])
})
