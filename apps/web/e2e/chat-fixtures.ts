import type { Locator, Page } from '@playwright/test'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { test as base, expect } from './fixtures.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { storedServer } from './stored-server.ts'
import { startToolServer, type ToolServer } from './tool-server.ts'

export { expect, say, sayOnceReady } from './fixtures.ts'
export { gate, toldIn } from './scripted-model.ts'
export { call } from './tool-server.ts'

interface GptWishes {
  name?: string
  approval?: Gpt['tools']['approval']
  maxToolCalls?: number
  /** How its model is spoken to. */
  wire?: Pick<ModelConnection, 'kind' | 'api'>
  /** What the server says of its tools is believed. */
  isServerTrusted?: boolean
  /** Another server than `server`. */
  serverUrl?: string
}

interface ChatParts {
  model: ScriptedModel
  server: ToolServer
  /**
   * Stores a GPT that uses `model` and `server`, and opens a new chat with it. The ways through the screens that make these have
   * tests of their own.
   */
  openGpt: (wishes?: GptWishes) => Promise<{ gptId: string }>
}

export const test = base.extend<ChatParts>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  model: async ({}, use) => {
    const model = await startScriptedModel()
    await use(model)
    await model.close()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  server: async ({}, use) => {
    const server = await startToolServer()
    await use(server)
    server.release()
    await server.close()
  },
  openGpt: async ({ app, model, server }, use) => {
    await use(async (wishes = {}) => {
      const rows = recordsFor(model.url, wishes.serverUrl ?? server.url, wishes)
      await store(app, rows)
      const gptId = rows.gpts[0].id
      await app.goto(`${new URL(app.url()).origin}/#/gpt/${gptId}/new`)
      // Not a chat with it, which was open before.
      await expect(app.getByRole('log')).toHaveCount(0)
      await expect(app.getByRole('heading', { level: 1, name: rows.gpts[0].name })).toBeVisible()
      return { gptId }
    })
  },
})

const MODEL_ID = 'scripted-model'
const SERVER_ID = 'notes-server'

function recordsFor(modelUrl: string, serverUrl: string, wishes: GptWishes) {
  const { name = 'Keeper', approval = 'always-ask', maxToolCalls = 25, isServerTrusted = false } = wishes
  const { wire = { kind: 'compatible', api: 'chat' } } = wishes
  const times = { createdAt: 1, updatedAt: 1 }
  const connection: ModelConnection = {
    ...times,
    id: MODEL_ID,
    ...wire,
    name: 'Scripted',
    baseUrl: modelUrl,
    hasKey: false,
    models: ['one'],
  }
  const server = storedServer({ id: SERVER_ID, name: 'Notes', url: serverUrl, trusted: isServerTrusted })
  const gpt: Gpt = {
    ...times,
    id: `gpt-${name}`,
    name,
    description: '',
    icon: 'K',
    instructions: 'Keep notes.',
    model: { connectionId: MODEL_ID, modelId: 'one' },
    settings: { maxToolCalls },
    starters: [],
    tools: { serverIds: [SERVER_ID], disabledTools: [], approval, trustedTools: [], pollSeconds: 5, asyncTasks: false },
  }
  return { modelConnections: [connection] as const, mcpServers: [server] as const, gpts: [gpt] as const }
}

/** Writes rows past the engine, and tells those who watch, as a change in another tab would be told. */
export const store = (page: Page, rows: Record<string, readonly object[]>) =>
  page.evaluate(
    (tables) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('switchboard')
        opening.onerror = () => reject(new Error(opening.error?.message))
        opening.onsuccess = () => {
          const database = opening.result
          const writing = database.transaction(Object.keys(tables), 'readwrite')
          for (const [table, all] of Object.entries(tables)) for (const row of all) writing.objectStore(table).put(row)
          writing.oncomplete = () => {
            database.close()
            // The channel and the word of Dexie for “anything may have changed”.
            const others = new BroadcastChannel('x-storagemutated-1')
            others.postMessage({ all: { d: 1, from: Number.NEGATIVE_INFINITY, to: [[]], l: null, r: null } })
            others.close()
            resolve()
          }
          writing.onerror = () => reject(new Error(writing.error?.message))
        }
      }),
    rows,
  )

/** All rows of a table as they are stored now. */
export const rowsOf = <Row>(page: Page, table: string): Promise<Row[]> =>
  page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('switchboard')
        opening.onerror = () => reject(new Error(opening.error?.message))
        opening.onsuccess = () => {
          const asked = opening.result.transaction(name).objectStore(name).getAll()
          asked.onerror = () => reject(new Error(asked.error?.message))
          asked.onsuccess = () => {
            opening.result.close()
            resolve(asked.result)
          }
        }
      }),
    table,
  ) as Promise<Row[]>

/** A row as it is stored now. */
export const stored = async (page: Page, table: string, id: string): Promise<Record<string, unknown> | undefined> =>
  (await rowsOf<Record<string, unknown>>(page, table)).find((row) => row['id'] === id)

/** Waits until what was typed is written down; that is done a moment after the last key. */
export const typedIsKept = (page: Page, text: string) =>
  expect.poll(async () => JSON.stringify(await rowsOf(page, 'drafts'))).toContain(text)

/** The question about calls, with its buttons. */
export const approval = (page: Page) => page.getByRole('region', { name: /asks? for your permission/ })

/** Brings a button of a card into sight and waits until it acts: half a second after it last moved. */
async function untilItActs(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  // Until the card has noticed that it moved.
  await button.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
}

/** Presses a button of a card that asks something, once it acts. */
export async function act(button: Locator): Promise<void> {
  await untilItActs(button)
  await button.click()
}

/** Answers a question once its buttons act. */
export async function press(page: Page, name: string): Promise<void> {
  await untilItActs(approval(page).getByRole('button', { name: /^Allow (once|all|\d)/ }))
  await approval(page).getByRole('button', { name, exact: true }).click()
}

/** The last thing the GPT did. */
export const lastAnswer = (page: Page) => page.getByRole('log').getByRole('article').last()

/** A call as a line, once it has one. */
export const callLine = (page: Page, name: string) => page.getByRole('log').locator('summary').filter({ hasText: name })

export async function openSettings(page: Page, section: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: section }).click()
}
