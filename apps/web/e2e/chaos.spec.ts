import type { Page } from '@playwright/test'
import { startTaskServer, type TaskServer } from '@switchboard/testkit/task-server'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { Message } from '#domain/message.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { answerAll, faults, planWork, type Planned, randomOf, type Surroundings } from './chaos-faults.ts'
import { expect, lastAnswer, rowsOf, say, test } from './task-fixtures.ts'

// `npm run soak` takes two minutes of faults; a few seconds of them are in every run of the tests.
const isSoak = process.env['SWITCHBOARD_SOAK'] !== undefined
const { count, far, seconds, chats } = isSoak
  ? { count: 50, far: 5, seconds: 120, chats: 5 }
  : { count: 10, far: 2, seconds: 20, chats: 2 }
const seed = Number(process.env['SWITCHBOARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

test.use({ isCovered: false, expectedProblems: /./ })
test.setTimeout((seconds + 300) * 1000)

const labelOf = (call: Pick<ToolCall, 'arguments'>): string => String((JSON.parse(call.arguments) as Planned).label)

test(`[R-42] ${count} tasks over ${far} servers, two tabs, a fault a second for ${seconds} s: each ends once, is told once, was called once`, async ({
  app,
  context,
  model,
  openWorker,
}) => {
  const random = randomOf(seed)
  console.log(`Seed ${seed}: SWITCHBOARD_SEED=${seed} runs the same faults again.`)
  const servers: TaskServer[] = []
  for (let at = 0; at < far; at += 1) servers.push(await startTaskServer({ push: at % 2 === 0 }))
  const planned = planWork(count, seconds, random)
  const ofChat = (chat: number) => planned.filter((_, at) => at % chats === chat)
  model.follow(({ step, body }) => {
    if (step > 0) return { text: 'Noted.' }
    const chat = Number(/Begin (\d+)/.exec(JSON.stringify(body))?.[1])
    const toCall = ({ end: _, ...work }: Planned, at: number) => ({
      name: `s${(chat + at) % far}__work`,
      input: { ...work },
    })
    return { calls: ofChat(chat).map(toCall) }
  })
  await openWorker(Object.fromEntries(servers.map(({ url }, at) => [`s${at}`, url])))

  const address = app.url()
  const open = async (): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(address)
    return page
  }
  const other = await open()
  for (let chat = 0; chat < chats; chat += 1) {
    const page = chat % 2 === 0 ? app : other
    if (chat > 1) await page.goto(address)
    await expect(page.getByRole('log')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Worker' })).toBeVisible()
    await say(page, `Begin ${chat}`)
    await expect(lastAnswer(page)).toContainText('Noted.')
  }
  expect(await rowsOf<Task>(app, 'mcpTasks')).toHaveLength(count)

  const around: Surroundings = { context, tabs: [app, other], servers, cancelled: new Set(), random, open }
  const happened: Record<string, number> = {}
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const next = new Promise((resolve) => setTimeout(resolve, 1000))
    const name = random.one(Object.keys(faults)) as keyof typeof faults
    happened[name] = (happened[name] ?? 0) + 1
    // A tab that is being loaded has no engine to talk to, and a page that is leaving answers nobody.
    await faults[name](around).catch((error: unknown) => console.log(`${name}: ${String(error).split('\n')[0]}`))
    await next
  }
  const calmAt = performance.now()
  for (const server of servers) {
    server.refuseAll(undefined)
    await server.listenAgain()
  }

  const [tab = app] = around.tabs
  await expect
    .poll(
      async () => {
        await answerAll(tab)
        const rows = await rowsOf<Task>(tab, 'mcpTasks')
        return rows
          .filter((task) => !isTaskOver(task) || task.deliveredAt === undefined)
          .map(({ id, status, trouble }) => ({ id, status, trouble }))
      },
      { timeout: 180_000, intervals: [500] },
    )
    .toEqual([])
  const settledMs = performance.now() - calmAt

  const rows = await rowsOf<Task>(tab, 'mcpTasks')
  const calls = await rowsOf<ToolCall>(tab, 'mcpToolCalls')
  const told = (await rowsOf<Message>(tab, 'messages')).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'task' ? [part.toolCallId] : [])),
  )
  expect(rows).toHaveLength(count)
  // Each result is told once.
  expect(told.toSorted()).toEqual(rows.map(({ toolCallId }) => toolCallId).toSorted())
  // Each tool was called once.
  const made = servers.flatMap((server) =>
    server.of('tools/call').map(({ params }) => String(params['arguments']?.label)),
  )
  expect(made.toSorted()).toEqual(planned.map(({ label }) => label).toSorted())
  // Each has ended as its server says, but for those that were to be cancelled, which may have been.
  const wrong = rows.flatMap(({ id, status }) => {
    const call = calls.find((one) => one.id === id)
    const plan = planned.find(({ label }) => call && labelOf(call) === label)
    const may = [plan?.end, ...(around.cancelled.has(id) ? ['cancelled'] : [])]
    return may.includes(status) && call?.taskStatus === status ? [] : [{ id, status, may, call: call?.status }]
  })
  expect(wrong).toEqual([])

  // Nobody goes on: no lock, no stream, no question, no request.
  await expect
    .poll(() =>
      tab.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query()
        return [...held, ...pending].map(({ name }) => name).filter((name) => /^(task|turn):/.test(name ?? ''))
      }),
    )
    .toEqual([])
  const lastRequest = () => Math.max(...servers.map(({ requests }) => requests.at(-1)?.at ?? 0))
  await expect.poll(() => performance.now() - lastRequest()).toBeGreaterThan(3000)
  expect(servers.map((server) => server.open)).toEqual(servers.map(() => 0))

  const ends: Record<string, number> = {}
  for (const { status } of rows) ends[status] = (ends[status] ?? 0) + 1
  const requests = servers.reduce((sum, server) => sum + server.requests.length, 0)
  console.log(
    JSON.stringify({
      seed,
      faults: happened,
      ends,
      cancelWishes: around.cancelled.size,
      requests,
      settledMs: Math.round(settledMs),
    }),
  )
  await Promise.all(servers.map((server) => server.close()))
})
