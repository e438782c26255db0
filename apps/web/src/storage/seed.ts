import { PRACTICE } from '#domain/model-connection.ts'
import { type Database, SEEDED } from './db.ts'
import { newGpt } from './gpts.ts'
import { reading, writing } from './in-transaction.ts'
import { newModelConnection } from './model-connections.ts'
import { newServer } from './servers.ts'

const demoServer = (origin: string) =>
  newServer({
    name: 'Demo tools',
    description: 'Comes with the app, runs on this computer, and shows what tools can do.',
    transport: 'streamable-http',
    url: `${origin}/demo/mcp`,
    headerNames: [],
    authentication: { type: 'none' },
    timeoutSeconds: 60,
    retries: 3,
    relay: false,
    trusted: false,
    builtIn: true,
    enabled: true,
  })

const demoGpt = (serverId: string) => {
  const { tools } = newGpt({})
  return newGpt({
    name: 'Demo assistant',
    description: 'Tries the demo tools, and asks before it uses one.',
    icon: '🧭',
    instructions:
      'Help with the demo tools: forecasts, charts, notes, backups, bread, tables. Say in one sentence what you did.',
    // Each shows something: a tool that asks first, long work, a question in the middle of a call.
    starters: [
      'What will the weather be in Lisbon for the next 3 days?',
      'Bake a bread while we go on talking',
      'Book a table at The Lighthouse',
    ],
    tools: { ...tools, serverIds: [serverId] },
  })
}

/** For a host that has no demo server: it would only fail, and its starters with it. */
const plainGpt = () =>
  newGpt({
    name: 'Assistant',
    description: 'An assistant without tools yet.',
    icon: '🧭',
    instructions: 'Help the user, with the tools you are given.',
  })

/**
 * What the app begins with. The practice model is always there; the demo comes once, where its server is, and never again
 * when the user deletes it. True where the database was new.
 */
export async function seed(
  db: Database,
  origin: string,
  findDemo: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const isSeeded = await reading(db, [db.settings], async () => (await db.settings.get(SEEDED)) !== undefined)
  return putSeed(db, origin, isSeeded || (await findDemo()))
}

const putSeed = (db: Database, origin: string, hasDemo: boolean): Promise<boolean> =>
  writing(db, [db.settings, db.modelConnections, db.mcpServers, db.gpts], async () => {
    if (!(await db.modelConnections.get(PRACTICE.connectionId)))
      await db.modelConnections.add(
        newModelConnection(
          { kind: 'practice', name: 'Practice model', baseUrl: '', api: 'chat' },
          PRACTICE.connectionId,
        ),
      )
    if (await db.settings.get(SEEDED)) return false
    const server = hasDemo ? demoServer(origin) : undefined
    const gpt = server ? demoGpt(server.id) : plainGpt()
    if (server) await db.mcpServers.add(server)
    await db.gpts.add(gpt)
    await db.settings.bulkPut([
      { key: 'defaultGptId', value: gpt.id },
      { key: SEEDED, value: true },
    ])
    return true
  })
