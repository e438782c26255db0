import { FaultServer } from '@switchboard/testkit/fault-server'
import type { Task } from '#domain/task.ts'
import { engineOf } from './chaos-faults.ts'
import { store } from './chat-fixtures.ts'
import { startKillableBrowser } from './killable-browser.ts'
import { endings, expect, lastAnswer, rowsOf, say, storeWorker, test, work } from './task-fixtures.ts'
import { storedServer } from './stored-server.ts'

test.slow()
test.use({ expectedProblems: /Failed to load resource|ERR_|blocked by CORS policy/ })

const FLAPS = 10

const record = (id: string, url: string) => storedServer({ id, name: id, url, retries: 3 })

/** What somebody sends who opens a connection, or asks whether it lives. */
const openings = ({ ledger }: FaultServer): number =>
  ledger.count('server/discover') + ledger.count('initialize') + ledger.count('ping')

test(`[R-26] the network flaps ${FLAPS} times: nothing is asked while it is away, and each server once when it is back`, async ({
  app,
  context,
}) => {
  const cors = true
  const servers = [
    await new FaultServer({ era: 'stateless', cors }).start(),
    await new FaultServer({ era: 'sessions', cors }).start(),
    await new FaultServer({ era: 'both', cors }).start(),
  ]
  const isConnected = (name: string) =>
    app.getByRole('listitem').filter({ hasText: name }).getByText('connected', { exact: true })
  await store(app, { mcpServers: servers.map(({ url }, at) => record(`far-${at}`, url)) })
  await app.reload()
  await app.goto(`${new URL(app.url()).origin}/#/servers`)
  for (let at = 0; at < servers.length; at += 1) await expect(isConnected(`far-${at}`)).toBeVisible()
  const isOnline = () => engineOf(app)?.evaluate(() => navigator.onLine)
  const asked = () => servers.map(({ ledger }) => ledger.entries.length)

  const before = servers.map(openings)
  for (let flap = 0; flap < FLAPS; flap += 1) {
    await context.setOffline(true)
    await expect.poll(isOnline).toBe(false)
    // Two rounds through the browser: by the first, what was on its way has arrived.
    await app.evaluate(() => navigator.locks.query())
    const away = asked()
    await app.evaluate(() => navigator.locks.query())
    expect(asked()).toEqual(away)
    await context.setOffline(false)
    await expect.poll(isOnline).toBe(true)
  }
  // Each has its moment within a second; what would come twice would come by then as well.
  await expect.poll(() => servers.every((server, at) => openings(server) > (before[at] ?? 0))).toBe(true)
  const quiet = () => performance.now() - Math.max(...servers.map(({ ledger }) => ledger.entries.at(-1)?.at ?? 0))
  await expect.poll(quiet).toBeGreaterThan(2_000)
  const flapped = servers.map((server, at) => openings(server) - (before[at] ?? 0))
  for (const count of flapped) expect(count).toBeLessThanOrEqual(FLAPS)

  // And after one that lasted: once.
  await context.setOffline(true)
  await expect.poll(isOnline).toBe(false)
  const last = servers.map(openings)
  await context.setOffline(false)
  await expect.poll(() => servers.every((server, at) => openings(server) > (last[at] ?? 0))).toBe(true)
  await expect.poll(quiet).toBeGreaterThan(2_000)
  expect(servers.map((server, at) => openings(server) - (last[at] ?? 0))).toEqual([1, 1, 1])
  for (let at = 0; at < servers.length; at += 1) await expect(isConnected(`far-${at}`)).toBeVisible()
  for (const server of servers) await server.stop()
})

test('[R-25] a page that is frozen in the background goes on with its task: the engine has its own time', async ({
  app,
  context,
  model,
  tasks,
  openWorker,
}) => {
  model.follow(({ step, body }) => {
    if (step === 0) return { calls: [work('tasks', { steps: 3, stepMs: 200 })] }
    return { text: JSON.stringify(body).includes('Done {}') ? 'It is done.' : 'At work.' }
  })
  await openWorker({ tasks: tasks.url })
  const release = tasks.hold()
  await say(app, 'Begin')
  await expect(lastAnswer(app)).toContainText('At work.')
  // A draft that is being written when the page goes to the background is there when it comes back.
  await app.getByRole('textbox', { name: 'Message' }).fill('half a thought')
  const session = await context.newCDPSession(app)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  release()
  // The model hears of the result while nobody could have drawn anything.
  const told = () => model.requests.filter(({ body }) => JSON.stringify(body).includes('Done {}')).length
  await expect.poll(told).toBe(1)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(endings(app)).toContainText('Task finished')
  await expect(lastAnswer(app)).toContainText('It is done.')
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought')
  // What is typed last is kept by the page that goes, and not by a timer that never comes, nor by an engine that goes with it.
  await app.getByRole('textbox', { name: 'Message' }).fill('half a thought, and its end')
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought, and its end')
})

test('[R-24] a machine that slept looks at its servers and tasks at once, calls nothing twice and loses nothing', async ({
  companion,
  model,
  tasks,
}) => {
  const browser = await startKillableBrowser()
  const server = await new FaultServer({ era: 'sessions', cors: true }).start()
  const page = browser.context.pages()[0] ?? (await browser.context.newPage())
  await page.goto(companion.url)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  model.follow(({ step, body }) => {
    if (step === 0) return { calls: [work('tasks', { steps: 1, stepMs: 20, ask: 1, ttlMs: 600_000 })] }
    return { text: JSON.stringify(body).includes('awake') ? 'It is done.' : 'At work.' }
  })
  await storeWorker(page, model.url, { tasks: tasks.url })
  await store(page, { mcpServers: [record('beside', server.url)] })
  await page.reload()
  await page.goto(`${new URL(page.url()).origin}/#/gpt/worker/new`)
  await say(page, 'Begin')
  await expect(lastAnswer(page)).toContainText('At work.')
  const question = page.getByRole('region', { name: /asks/ })
  await expect(question).toBeVisible()
  await server.ledger.until(() => openings(server) > 0, 'somebody who connects')
  const looks = tasks.of('tasks/get').length
  const pings = server.ledger.count('ping')

  // Longer than the half minute after which nobody can know what was missed.
  browser.stop()
  await new Promise((resolve) => setTimeout(resolve, 36_000))
  browser.goOn()

  await expect.poll(() => tasks.of('tasks/get').length).toBeGreaterThan(looks)
  await expect.poll(() => server.ledger.count('ping')).toBeGreaterThan(pings)
  await expect(question).toHaveCount(1)
  await question.getByRole('textbox').fill('awake')
  await question.getByRole('button', { name: /^(Submit|Send)/ }).click()
  await expect(endings(page)).toContainText('Task finished')
  await expect(lastAnswer(page)).toContainText('It is done.')
  expect(tasks.of('tools/call')).toHaveLength(1)
  expect((await rowsOf<Task>(page, 'mcpTasks')).map(({ status }) => status)).toEqual(['completed'])
  await browser.context.close()
  browser.remove()
  await server.stop()
})
