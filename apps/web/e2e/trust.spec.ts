import type { Page } from '@playwright/test'
import type { Exchange } from '@switchboard/testkit/fault-server'
import type { Gpt } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { approval, call, expect, lastAnswer, press, say, sayOnceReady, store, stored, test } from './chat-fixtures.ts'
import type { ScriptedModel } from './scripted-model.ts'
import { startToolServer, type ToolServer } from './tool-server.ts'

type Definition = Record<string, unknown> & { name: string; inputSchema: Record<string, unknown> }

/** From now on the server describes `note` in another way. */
function redefine(server: ToolServer, change: (definition: Definition) => object): void {
  const { onRequest } = server
  server.onRequest = async (exchange: Exchange) => {
    if (exchange.method !== 'tools/list') return onRequest?.(exchange)
    const { tools, ...rest } = exchange.result() as { tools: Definition[] }
    exchange.json(exchange.reply({ ...rest, tools: tools.map((tool) => (tool.name === 'note' ? change(tool) : tool)) }))
  }
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

const CHANGES: [string, (definition: Definition) => object, string][] = [
  ['its description', (tool) => ({ ...tool, description: 'Keeps a note, and tells others' }), 'description'],
  [
    'its schema',
    ({ inputSchema, ...tool }) => ({ ...tool, inputSchema: { ...inputSchema, additionalProperties: true } }),
    'inputSchema.additionalProperties',
  ],
  ['its annotations', (tool) => ({ ...tool, annotations: { readOnlyHint: true } }), 'annotations'],
]

const notice = (page: Page) => page.getByText('changed since you last looked, and will not be used until you have')

/** The user has allowed `note` for good, and it has run once. */
async function allowed(app: Page, server: ToolServer): Promise<void> {
  await say(app, 'Keep one')
  await expect(approval(app)).toContainText('note of Notes')
  await expect(approval(app).getByRole('button', { name: 'Allow once' })).not.toHaveAttribute('aria-disabled', 'true')
  await approval(app).getByRole('button', { name: 'Allow for longer' }).click()
  await app.getByRole('menuitem', { name: 'Always allow' }).click()
  await expect(lastAnswer(app)).toContainText('Said after note.')
  expect(server.ledger.executionsOf('note')).toBe(1)
}

for (const [what, change, place] of CHANGES)
  test(`[A3.2] a tool that changes ${what} is not used until its difference was seen, and then asks`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    model.follow(({ step }) =>
      step % 2 === 0 ? { calls: [call('note', { text: 'a' })] } : { text: 'Said after note.' },
    )
    await openGpt()
    await allowed(app, server)

    redefine(server, change)
    await say(app, 'Keep two')
    await expect(notice(app)).toBeVisible()
    await expect(app.getByRole('log')).toContainText('This tool has changed or is gone')
    expect(server.ledger.executionsOf('note'), 'what was allowed before is void').toBe(1)
    await expect.poll(() => model.requests.at(-1)?.tools).not.toContain('notes__note')

    const chat = app.url()
    await app.getByRole('link', { name: 'See what is different' }).click()
    await expect(app.getByRole('article', { name: 'note, changed' })).toContainText(place)
    await app.getByRole('button', { name: 'I have seen it: use it again' }).click()
    await expect(app.getByText('Nothing has changed')).toBeVisible()
    await app.goto(chat)
    await expect(notice(app)).toHaveCount(0)
    await say(app, 'Keep three')
    await expect(approval(app)).toContainText('note of Notes')
    await press(app, 'Allow once')
    await expect.poll(() => server.ledger.executionsOf('note')).toBe(2)
  })

test('[A3.2] a definition whose keys come in another order is the same', async ({ app, model, server, openGpt }) => {
  model.follow(({ step }) => (step % 2 === 0 ? { calls: [call('note', { text: 'a' })] } : { text: 'Said after note.' }))
  await openGpt()
  await allowed(app, server)
  redefine(server, (tool) => reversed(tool) as object)
  await say(app, 'Keep two')
  await expect.poll(() => server.ledger.executionsOf('note')).toBe(2)
  await expect(approval(app)).toHaveCount(0)
  await expect(notice(app)).toHaveCount(0)
})

test('[A3.2] a server at another address, be it only another path, has to be seen and allowed anew', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow(({ step }) => (step % 2 === 0 ? { calls: [call('note', { text: 'a' })] } : { text: 'Said after note.' }))
  await openGpt()
  await allowed(app, server)
  const chat = app.url()
  await app.goto(`${new URL(chat).origin}/#/servers/notes-server`)
  await app.getByRole('textbox', { name: 'Address' }).fill(`${server.url}?moved`)
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  await app.goto(chat)
  await expect(notice(app)).toBeVisible()
  await app.getByRole('link', { name: 'See what is different' }).click()
  await expect(app.getByRole('article', { name: 'note, changed' })).toContainText('?moved')
  await app.getByRole('button', { name: /I have seen all/ }).click()
  await expect(app.getByText('Nothing has changed')).toBeVisible()
  await app.goto(chat)
  await say(app, 'Keep two')
  await expect(approval(app)).toContainText('note of Notes')
  expect(server.ledger.executionsOf('note')).toBe(1)
})

const newChat = async (app: Page, gptId: string) => {
  await app.goto(`${new URL(app.url()).origin}/#/gpt/${gptId}/new`)
  await expect(app.getByRole('log').getByRole('article')).toHaveCount(0)
  await expect(app.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

/** Has the model read the web first, and keep a note of it then. */
const readsTheWeb: Parameters<ScriptedModel['follow']>[0] = ({ step }) => {
  if (step === 0) return { calls: [{ name: 'web__look', input: { text: 'news' } }] }
  if (step === 1) return { calls: [call('note', { text: 'from the web' })] }
  return { text: 'Done.' }
}
const keepsANote: Parameters<ScriptedModel['follow']>[0] = ({ step }) =>
  step === 0 ? { calls: [call('note', { text: 'mine' })] } : { text: 'Kept.' }

for (const policy of ['auto', 'always-ask', 'trusted-only'] as const)
  test(`[A3.8] after text of a server that nobody trusts, a call to another asks and says why: ${policy}`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    const web = await startToolServer()
    try {
      const { gptId } = await openGpt({ approval: policy })
      await say(app, 'Hello')
      await expect(lastAnswer(app)).toContainText('Nothing to say.')
      await addWeb(app, web, gptId)
      // Without strangers in the chat the policy is as it is named; the tool is one that is trusted.
      model.follow(keepsANote)
      await newChat(app, gptId)
      await sayOnceReady(app, 'Keep mine')
      if (policy === 'always-ask') await press(app, 'Allow once')
      await expect(lastAnswer(app)).toContainText('Kept.')
      expect(server.ledger.executionsOf('note')).toBe(1)

      model.follow(readsTheWeb)
      await newChat(app, gptId)
      await sayOnceReady(app, 'Read the news and note them')
      // Under “auto” the first runs by itself; the others ask for it too.
      if (policy !== 'auto') await press(app, 'Allow once')
      await expect(approval(app)).toContainText('note of Notes')
      await expect(approval(app)).toContainText('this chat contains content from Web')
      expect(server.ledger.executionsOf('note')).toBe(1)
      await press(app, 'Allow once')
      await expect(lastAnswer(app)).toContainText('Done.')
      expect(server.ledger.executionsOf('note')).toBe(2)
    } finally {
      web.release()
      await web.close()
    }
  })

test('[A3.8] “Always allow” was said before a stranger was in the chat: with one it asks again', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  const web = await startToolServer()
  try {
    const { gptId } = await openGpt()
    model.follow(({ step }) =>
      step % 2 === 0 ? { calls: [call('note', { text: 'a' })] } : { text: 'Said after note.' },
    )
    await allowed(app, server)
    await addWeb(app, web, gptId)
    model.follow(keepsANote)
    await newChat(app, gptId)
    await sayOnceReady(app, 'Keep mine')
    await expect(lastAnswer(app)).toContainText('Kept.')
    expect(server.ledger.executionsOf('note'), 'what is allowed for good runs').toBe(2)

    model.follow(readsTheWeb)
    await newChat(app, gptId)
    await sayOnceReady(app, 'Read the news and note them')
    await press(app, 'Allow once')
    await expect(approval(app)).toContainText('note of Notes')
    await expect(approval(app)).toContainText('this chat contains content from Web')
    expect(server.ledger.executionsOf('note')).toBe(2)
  } finally {
    web.release()
    await web.close()
  }
})

for (const policy of ['auto', 'always-ask', 'trusted-only'] as const)
  test(`[A3.8] with the switch off, content of another server changes nothing: ${policy}`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    const web = await startToolServer()
    try {
      const { gptId } = await openGpt({ approval: policy })
      await say(app, 'Hello')
      await expect(lastAnswer(app)).toContainText('Nothing to say.')
      await addWeb(app, web, gptId)
      await app.goto(`${new URL(app.url()).origin}/#/gpts/${gptId}`)
      const guard = app.getByRole('switch', { name: 'Ask when content from an untrusted server is in the chat' })
      // The stored GPT is older than the switch.
      await expect(guard).toBeChecked()
      await guard.click()
      await expect(app.getByText('and “Always allow” means always, whatever is in the chat')).toBeVisible()
      await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

      model.follow(readsTheWeb)
      await newChat(app, gptId)
      await sayOnceReady(app, 'Read the news and note them')
      // Web's tool isn't trusted in this GPT, so only “auto” runs it without asking.
      if (policy !== 'auto') await press(app, 'Allow once')
      if (policy === 'always-ask') {
        await expect(approval(app)).toContainText('this GPT asks before every tool')
        await press(app, 'Allow once')
      }
      await expect(lastAnswer(app)).toContainText('Done.')
      expect(server.ledger.executionsOf('note')).toBe(1)
    } finally {
      web.release()
      await web.close()
    }
  })

for (const way of ['Trust Web', 'Don’t ask again in this GPT'])
  test(`[A3.8] the card says why it asks, and “${way}” holds for later calls`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    const web = await startToolServer()
    try {
      const { gptId } = await openGpt({ approval: 'auto' })
      await say(app, 'Hello')
      await expect(lastAnswer(app)).toContainText('Nothing to say.')
      await addWeb(app, web, gptId)
      model.follow(readsTheWeb)
      await newChat(app, gptId)
      await sayOnceReady(app, 'Read the news and note them')
      await expect(approval(app)).toContainText('It asks because this chat contains content from Web')
      await expect(approval(app)).toContainText('Otherwise this tool would run without asking.')
      await approval(app).getByRole('button', { name: way, exact: true }).click()
      await expect(approval(app)).toContainText('This one still waits for your answer.')
      expect(server.ledger.executionsOf('note')).toBe(0)
      await press(app, 'Allow once')
      await expect(lastAnswer(app)).toContainText('Done.')

      await newChat(app, gptId)
      await sayOnceReady(app, 'Once more')
      await expect(lastAnswer(app)).toContainText('Done.')
      expect(server.ledger.executionsOf('note')).toBe(2)
      await app.goto(`${new URL(app.url()).origin}/#/gpts/${gptId}`)
      const guard = app.getByRole('switch', { name: 'Ask when content from an untrusted server is in the chat' })
      await expect(guard).toBeChecked({ checked: way === 'Trust Web' })
    } finally {
      web.release()
      await web.close()
    }
  })

/** Gives the GPT a second server, called Web; of the first it trusts `note` as it is. */
async function addWeb(app: Page, web: ToolServer, gptId: string): Promise<void> {
  const notes = async () => (await stored(app, 'mcpServers', 'notes-server')) as unknown as Server
  const note = async () => (await notes()).found?.tools.find(({ name }) => name === 'note')
  await expect.poll(note).toBeDefined()
  const { url, ...record } = await notes()
  const gpt = (await stored(app, 'gpts', gptId)) as unknown as Gpt
  const fingerprint = (await note())?.fingerprint ?? ''
  const trusted = { serverId: 'notes-server', toolName: 'note', fingerprint, endpoint: url }
  await store(app, {
    mcpServers: [{ ...record, found: undefined, id: 'web-server', name: 'Web', url: web.url }],
    gpts: [{ ...gpt, tools: { ...gpt.tools, serverIds: ['notes-server', 'web-server'], trustedTools: [trusted] } }],
  })
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Message' })).toBeVisible()
}
