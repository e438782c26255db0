import { createModelsLater } from '#agent/models-later.ts'
import { createTurns, type Turns } from '#agent/run-turn.ts'
import { failureOf } from '#domain/failure.ts'
import { noticeSleep } from '#lib/notice-sleep.ts'
import { createMcp } from '#mcp/create-mcp.ts'
import { createFlightRecorder } from '#mcp/flight-recorder.ts'
import { unlessOffline } from '#mcp/unless-offline.ts'
import { buildSearchIndex } from '#storage/build-search-index.ts'
import { createConversations } from '#storage/conversations.ts'
import { createGpts } from '#storage/gpts.ts'
import { unfinished } from '#storage/heal.ts'
import { createMessages } from '#storage/messages.ts'
import { createModelConnections } from '#storage/model-connections.ts'
import { observe } from '#storage/observe.ts'
import { purge } from '#storage/purge.ts'
import { createQuestionsLater } from '#storage/questions-later.ts'
import { createRecordings } from '#storage/recordings.ts'
import type { Change } from '#storage/changes.ts'
import { createSecrets } from '#storage/secrets.ts'
import { seed } from '#storage/seed.ts'
import { createServers } from '#storage/servers.ts'
import { createSignInNotes } from '#storage/sign-ins.ts'
import { createSettings } from '#storage/settings.ts'
import { createTasks } from '#storage/tasks.ts'
import { createToolLedger } from '#storage/tool-ledger.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { createVault } from '#vault/vault.ts'
import { appCommands } from './app-commands.ts'
import type { CommandName } from './commands.ts'
import { hasDemo } from './has-demo.ts'
import { createCompanionAccess } from './companion-access.ts'
import { conversationCommands } from './conversation-commands.ts'
import { customToolCommands } from './custom-tool-commands.ts'
import { doctorCommands } from './doctor-commands.ts'
import type { Carried, EngineParts } from './engine-parts.ts'
import type { StartWish } from './engine-protocol.ts'
import type { EngineStateHolder } from './engine-state.ts'
import { dataCommands } from './data-commands.ts'
import { gptCommands } from './gpt-commands.ts'
import { keyIdOf, modelCommands } from './model-commands.ts'
import { openStorage } from './open-storage.ts'
import { questionCommands } from './question-commands.ts'
import { resourceCommands } from './resource-commands.ts'
import { serverCommands } from './server-commands.ts'
import { signInCommands } from './sign-in-commands.ts'
import { createStorageWatch, storageCommands } from './storage-commands.ts'
import { taskCommands } from './task-commands.ts'
import { toolCommands } from './tool-commands.ts'
import { vaultCommands } from './vault-commands.ts'

export type Engine = Carried<CommandName>

const PURGE_MS = 30_000

export interface EngineSurroundings {
  origin: string
  companionCode: string | undefined
  state: EngineStateHolder
  startSchemaWorker: () => Worker
  startOpenApiWorker: () => Worker
  /** Of its database, where it is not the one of the app. */
  name?: string
  wish?: StartWish
  /** Tells the page what is stored, where there is no database that it could read it from. */
  tellChanges?: (changes: Change[]) => void
}

/** Builds the engine, once: storage first, then what stands on it, then what a crash left behind is put in order. */
export async function createEngine({
  origin,
  companionCode,
  state,
  startSchemaWorker,
  startOpenApiWorker,
  name,
  wish = {},
  tellChanges = () => {},
}: EngineSurroundings): Promise<Engine> {
  const fail = (error: unknown) => state.set({ phase: 'failed', failure: failureOf(error) })
  const opened = await openStorage(wish, fail, tellChanges, name)
  const { db } = opened
  state.set({ storage: opened.state })
  const watch = createStorageWatch(opened, (next) => state.set({ storage: next }))
  const isNew = await seed(db, origin, () => hasDemo(origin, (url, init) => fetch(url, init)))
  if (isNew) state.set({ isNew: true })

  const vault = await createVault({ store: createSecrets(db), channel: new BroadcastChannel(`${db.name}-vault`) })
  const settings = createSettings(db)
  // In whichever tab it was set.
  observe(() => settings.setting('idleLockMinutes'), { next: vault.setIdleMinutes, error: () => {} })
  const companion = createCompanionAccess({ origin, vault, fetch: (url, init) => fetch(url, init) })
  if (companionCode) await companion.enter(companionCode)

  const servers = createServers(db)
  const tasks = createTasks(db)
  const recorder = createFlightRecorder(createRecordings(db).keep, Date.now)
  const mcp = createMcp(
    {
      servers,
      secrets: vault,
      signIns: createSignInNotes(db),
      companion,
      fetch: unlessOffline(
        // Without the companion's cookie: only its own requests may carry that, and none whose address somebody entered.
        (url, init) => fetch(url, { ...init, credentials: 'omit' }),
        () => navigator.onLine,
      ),
      now: Date.now,
      questions: createQuestionsLater(db),
      customTools: async () => (await import('#storage/custom-tools.ts')).createCustomTools(db),
      onState: (serverId, connection) => state.setServer(serverId, connection),
      tasks: {
        ...tasks,
        locks: navigator.locks,
        settle: (id, end) => turns.settleTask(id, end),
        tell: (conversationId) => void turns.run(conversationId),
      },
      ledger: createToolLedger(db),
      recorder,
    },
    startSchemaWorker,
  )
  const lookForCompanion = () =>
    void mcp.companion.servers().then(({ present }) => state.set({ companion: present ? 'present' : 'absent' }))
  /** What comes of it is told by the state of each server. */
  const connectAll = async () => {
    for (const { id, enabled } of await servers.servers()) if (enabled) void mcp.connections.connect(id).catch(() => {})
  }
  const tellVault = () => {
    const vaultState = vault.state()
    state.set({ vault: vaultState })
    if (vaultState.state === 'locked') mcp.connections.closeSecret()
    // The token that lets us in there may lie in the vault.
    lookForCompanion()
  }
  tellVault()
  vault.onChange(() => {
    tellVault()
    if (vault.state().state === 'locked') return
    void companion.keep()
    mcp.wakeTasks()
    // Those whose keys were out of reach until now.
    connectAll().catch(() => {})
  })

  const storage = createTurnStorage(db)
  const models = createModelsLater({
    storage,
    keys: { keyOf: (connectionId) => vault.open(keyIdOf(connectionId)) },
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    isOnline: () => navigator.onLine,
    wordDelayMs: 15,
  })
  const turns: Turns = createTurns({
    storage,
    tools: mcp.tools,
    models,
    locks: navigator.locks,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    growEveryMs: 80,
    progressEveryMs: 250,
    silenceMs: 300_000,
    retryPauseMs: 500,
    onState(conversationId, turn) {
      state.setTurn(conversationId, turn)
      if (turn === 'running') watch.worked(conversationId)
    },
    onFailure: (conversationId, failure) => watch.failed(failure, conversationId),
  })

  const parts: EngineParts = {
    db,
    conversations: createConversations(db),
    messages: createMessages(db),
    gpts: createGpts(db),
    servers,
    connections: createModelConnections(db),
    vault,
    turns,
    models,
    mcp,
    tasks,
    recorder,
    startOpenApiWorker,
  }
  // A turn that another tab still works at is left to it; one that nobody works at any more is put in order.
  for (const conversationId of await unfinished(db)) void turns.run(conversationId)
  void turns.byHand.heal().catch(() => {})
  mcp.watchTasks()
  const reviveAll = async () =>
    mcp.revive((await servers.servers()).filter(({ enabled }) => enabled).map(({ id }) => id))
  globalThis.addEventListener('offline', () => mcp.rest())
  globalThis.addEventListener('online', () => void reviveAll().catch(() => {}))
  noticeSleep(() => void reviveAll().catch(() => {}))
  await connectAll()

  const purgeNow = () => void purge(db, Date.now()).catch(() => {})
  purgeNow()
  setInterval(purgeNow, PURGE_MS)
  state.set({ phase: 'ready' })
  // A search reads every row until it is done, and after a failure until the next start.
  void buildSearchIndex(db, navigator.locks).catch(() => {})

  return {
    ...conversationCommands(parts),
    ...gptCommands(parts),
    ...resourceCommands(parts, (news) => state.set({ news })),
    ...serverCommands(parts),
    ...signInCommands(parts, new BroadcastChannel(`${db.name}-sign-in`)),
    ...doctorCommands(parts),
    ...customToolCommands(parts),
    ...modelCommands(parts),
    ...questionCommands(parts),
    ...taskCommands(parts),
    ...toolCommands(parts),
    ...appCommands(parts),
    ...vaultCommands(parts),
    ...dataCommands(parts),
    ...storageCommands(parts, opened, watch, () => Object.values(state.current().turns).includes('running')),
  }
}
