import type { Page } from '@playwright/test'
import { type FaultServer, startFaultServer } from '@switchboard/testkit/fault-server'
import type { Gpt } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { approval, expect, lastAnswer, press, sayOnceReady, store, stored, test } from './chat-fixtures.ts'
import { effortOf, measureSlowness } from './effort.ts'

// The tool's own pictures of the page would be tasks of the page.
test.use({ trace: 'off', isCovered: false })
test.slow()

const go = (page: Page, to: string) => page.goto(`${new URL(page.url()).origin}/#${to}`)
const budget = (page: Page) => page.getByRole('status').filter({ hasText: 'tokens of definitions' })

const SERVERS = 20
const TOOLS_EACH = 50
const THINGS = ['invoice', 'meeting', 'parcel', 'recipe', 'ticket', 'photo', 'contract', 'room', 'song', 'plant']
const DEEDS = ['create', 'find', 'rename', 'archive', 'share']

/** Twenty servers on one port each, with fifty tools each, and a GPT that uses them all. */
async function startMany(): Promise<FaultServer[]> {
  return Promise.all(
    Array.from({ length: SERVERS }, (_, at) =>
      startFaultServer({
        era: 'stateless',
        cors: true,
        tools: Object.fromEntries(
          THINGS.flatMap((thing) =>
            DEEDS.map((deed) => [
              `${deed}_${thing}_${at}`,
              {
                description: `${deed}s a ${thing} in office number ${at}, with everything that belongs to it.`,
                inputSchema: {
                  type: 'object',
                  properties: { what: { type: 'string', description: `Which ${thing} of office ${at}` } },
                },
              },
            ]),
          ),
        ),
      }),
    ),
  )
}

test('of 1,000 tools over 20 servers the model gets what fits and finds the rest; lists scroll, and a search answers at once', async ({
  app,
  model,
  openGpt,
}) => {
  const many = await startMany()
  try {
    const { gptId } = await openGpt()
    const gpt = (await stored(app, 'gpts', gptId)) as unknown as Gpt
    const notes = (await stored(app, 'mcpServers', 'notes-server')) as unknown as Server
    const servers = many.map(({ url }, at) => ({
      ...notes,
      found: undefined,
      id: `many-${at}`,
      name: `Office ${at}`,
      url,
    }))
    await store(app, {
      mcpServers: servers,
      gpts: [{ ...gpt, tools: { ...gpt.tools, serverIds: servers.map(({ id }) => id) } }],
    })
    await app.reload()
    model.follow([
      { calls: [{ name: 'find_tools', input: { query: 'archive contract office 13', limit: 5 } }] },
      { calls: [{ name: 'office_13__archive_contract_13', input: { what: 'the first' } }] },
      { text: 'It is archived.' },
    ])
    await sayOnceReady(app, 'Archive the first contract of office 13')
    await expect(approval(app)).toContainText('archive_contract_13 of Office 13')
    await press(app, 'Allow once')
    await expect(lastAnswer(app)).toContainText('It is archived.')
    expect(many[13]?.ledger.executionsOf('archive_contract_13')).toBe(1)

    const [first, second] = model.requests
    expect(first?.tools).toEqual(['find_tools'])
    expect(JSON.stringify(first?.body['tools'])).toContain(`You have ${SERVERS * TOOLS_EACH} tools`)
    expect(second?.tools).toContain('office_13__archive_contract_13')
    for (const { tools, body } of model.requests) {
      expect(tools.length).toBeLessThanOrEqual(64)
      expect(JSON.stringify(body['tools']).length / 4).toBeLessThan(12_000)
    }

    await go(app, `/gpts/${gptId}`)
    await expect(budget(app)).toContainText(/^1,000 tools · about [\d,]+ tokens of definitions: more than goes/)
    await app.getByLabel('Find a tool').fill('rename plant 7')
    await expect(app.getByRole('switch', { name: 'rename_plant_7', exact: true })).toBeVisible()
    await expectSmoothList(app)
  } finally {
    await Promise.all(many.map((one) => one.stop()))
  }
})

/**
 * No task of the page takes longer, by the processor's own count, however busy the machine is with others. A thousand rows
 * drawn in one go take several times as long.
 */
const HELD_UP_MS = 300

async function expectSmoothList(app: Page): Promise<void> {
  await go(app, '/tools')
  const list = app.getByRole('navigation', { name: 'Tools' })
  await expect(app.getByText(/^1,0\d\d tools$/)).toBeVisible()
  // Not by their role: to find that, the tool has what is out of sight laid out, row by row, in one task of the page.
  const rows = list.locator('a')
  await expect(rows).toHaveCount(100)
  const heldUpMs = HELD_UP_MS * (await measureSlowness(app))
  const scrolling = await effortOf(app, async () => {
    await list.hover()
    for (let turns = 0; turns < 30; turns++) await app.mouse.wheel(0, 900)
    await expect(rows.nth(150)).toBeAttached()
  })
  expect(scrolling.longestMs).toBeLessThan(heldUpMs)
  const searching = await effortOf(app, async () => {
    await app.getByRole('searchbox', { name: 'Search tools' }).pressSequentially('share song 19')
    await expect(rows).toHaveCount(1)
  })
  await expect(list.getByRole('link')).toContainText('share_song_19')
  expect(searching.longestMs).toBeLessThan(heldUpMs)
}
