import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Failed, type FailureCode } from '#domain/failure.ts'
import { PRACTICE } from '#domain/model-connection.ts'
import { Database } from '#storage/db.ts'
import { calls, conversation, grants, listGpts, models, servers, setting, shownWindow } from '#storage/live.ts'
import type { EngineState, ServerInput } from './commands.ts'
import { createEngine, type Engine } from './create-engine.ts'
import { createEngineState } from './engine-state.ts'

// The whole engine, in a real browser with real storage, against real servers; only the worker around it is missing.

// Tests of other files use the app's own database at the same time.
const name = 'switchboard-engine-test'
const db = new Database(name)
let engine: Engine
let state: EngineState
const heard = new Set<() => void>()

const startSchemaWorker = () => new Worker(new URL('../mcp/schema-worker.ts', import.meta.url), { type: 'module' })
const startOpenApiWorker = () =>
  new Worker(new URL('../mcp/custom-tools/openapi-worker.ts', import.meta.url), { type: 'module' })

beforeAll(async () => {
  await new Database(name).delete()
  engine = await createEngine({
    origin: location.origin,
    companionCode: undefined,
    state: createEngineState((next) => {
      state = next
      for (const listener of heard) listener()
    }),
    startSchemaWorker,
    startOpenApiWorker,
    name,
  })
})

afterAll(async () => {
  await engine.wipe()
  db.close()
})

/** Waits until the engine is in a state, or storage holds something: either tells when it changes. */
const until = <T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> =>
  expect
    .poll(async () => Boolean(await look()), { interval: 20 })
    .toBe(true)
    .then(() => look() as T)

const everything = (): ServerInput => ({
  name: 'Everything',
  description: '',
  transport: 'streamable-http',
  url: inject('realServers').everything,
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
})

const failureCode = async (deed: Promise<unknown>): Promise<FailureCode | undefined> =>
  deed.then(
    () => undefined,
    (error: unknown) => (error instanceof Failed ? error.failure.code : undefined),
  )

async function gptWithServer() {
  const { serverId } = await engine.saveServer({ server: everything(), secrets: {} })
  const { gptId } = await engine.createGpt({ name: 'Echo' })
  const gpt = (await listGpts(db)).find(({ id }) => id === gptId)
  if (!gpt) throw new Error('the GPT was not made')
  await engine.updateGpt({ gptId, change: { tools: { ...gpt.tools, serverIds: [serverId] } } })
  return { serverId, gptId }
}

const lastCall = async (conversationId: string) => {
  const { messages } = await shownWindow(db, conversationId, 100)
  const ids = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool' ? [part.toolCallId] : [])))
  return (await calls(db, ids)).at(-1)
}

const textOf = async (conversationId: string) => {
  const { messages } = await shownWindow(db, conversationId, 100)
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n')
}

const asked = (conversationId: string) =>
  until(async () => {
    const call = await lastCall(conversationId)
    return call?.approval?.state === 'requested' ? call : undefined
  })

const isIdle = (conversationId: string) => until(() => state.turns[conversationId] === undefined)

describe('the engine', () => {
  test('begins with the practice model, and without a demo server where the host has none', async () => {
    expect(state.phase).toBe('ready')
    const [gpt] = await listGpts(db)
    expect(gpt?.model).toEqual(PRACTICE)
    // The host of this test is a static one.
    expect(gpt?.tools.serverIds).toEqual([])
    expect(await servers(db)).toEqual([])
    expect((await models(db)).map(({ id }) => id)).toEqual(['practice'])
  })

  test('a call that is asked for, allowed and made is told to the model', async () => {
    const { gptId } = await gptWithServer()
    const { conversationId } = await engine.startConversation({ gptId, text: 'echo "a parrot"' })
    const call = await asked(conversationId)
    expect(JSON.parse(call.arguments)).toEqual({ message: 'a parrot' })
    await engine.answerApproval({
      conversationId,
      answers: [{ toolCallId: call.id, decision: 'allow', scope: 'once', arguments: call.arguments }],
    })
    await until(async () => (await lastCall(conversationId))?.status === 'success')
    await isIdle(conversationId)
    expect(await textOf(conversationId)).toContain('a parrot')
    expect(await setting(db, 'defaultGptId')).toBe(gptId)
    const raw = await engine.rawMessages({ toolCallId: call.id })
    expect(raw.map(({ direction }) => direction)).toContain('received')
    const { text } = await engine.exportConversation({ conversationId, format: 'markdown' })
    expect(text).toContain('a parrot')
  })

  test('a call that is denied is not made, and a permission for longer is kept until it is taken back', async () => {
    const { gptId, serverId } = await gptWithServer()
    const { conversationId } = await engine.startConversation({ gptId, text: 'echo "no"' })
    const denied = await asked(conversationId)
    await engine.answerApproval({
      conversationId,
      answers: [{ toolCallId: denied.id, decision: 'deny', reason: 'not now' }],
    })
    await until(async () => (await lastCall(conversationId))?.status === 'cancelled')
    await isIdle(conversationId)

    await engine.sendMessage({ conversationId, text: 'echo "yes"' })
    const allowed = await asked(conversationId)
    await engine.answerApproval({
      conversationId,
      answers: [{ toolCallId: allowed.id, decision: 'allow', scope: 'gpt', arguments: allowed.arguments }],
    })
    await isIdle(conversationId)
    const [grant] = await grants(db)
    expect(grant).toMatchObject({ scope: 'gpt', scopeId: gptId, serverId })

    await engine.sendMessage({ conversationId, text: 'echo "again"' })
    await until(async () => (await lastCall(conversationId))?.approval?.by === 'grant')
    await isIdle(conversationId)
    await engine.revokeGrant({ grantId: grant?.id ?? '' })
    await engine.sendMessage({ conversationId, text: 'echo "once more"' })
    await asked(conversationId)
    await engine.stop({ conversationId })
    expect((await lastCall(conversationId))?.status).toBe('cancelled')
  })

  test('what is said differently stands on a branch of its own, and both can be shown', async () => {
    const [gpt] = await listGpts(db)
    const { conversationId } = await engine.startConversation({ gptId: gpt?.id ?? '', text: 'first words' })
    await isIdle(conversationId)
    const before = await conversation(db, conversationId)
    const { messages } = await shownWindow(db, conversationId, 10)
    await engine.editMessage({ conversationId, messageId: messages[0]?.id ?? '', text: 'other words' })
    await isIdle(conversationId)
    expect(await textOf(conversationId)).not.toContain('first words')
    await engine.switchBranch({ conversationId, branchId: before?.branchId ?? '' })
    expect(await textOf(conversationId)).toContain('first words')
    const answer = (await shownWindow(db, conversationId, 10)).messages.at(-1)
    // Pressed twice and more, it is done once, and the answer that is being made goes on.
    const again = () => engine.regenerate({ conversationId, messageId: answer?.id ?? '' })
    await Promise.all([again(), again()])
    await again()
    await isIdle(conversationId)
    expect((await conversation(db, conversationId))?.branches).toHaveLength(3)
    expect((await shownWindow(db, conversationId, 10)).messages.at(-1)).toMatchObject({
      role: 'assistant',
      status: 'done',
    })
    await engine.continueTurn({ conversationId })
    await engine.renameConversation({ conversationId, title: 'Words' })
    await engine.saveDraft({ id: conversationId, text: 'later' })
    await engine.deleteConversation({ conversationId })
    expect(await conversation(db, conversationId)).toBeUndefined()
    await engine.restoreConversation({ conversationId })
    expect((await conversation(db, conversationId))?.title).toBe('Words')
  })

  test('a GPT is duplicated, trusted with a tool, deleted with its conversations, and brought back', async () => {
    const { gptId, serverId } = await gptWithServer()
    await until(async () => (await servers(db)).find(({ id }) => id === serverId)?.found)
    await engine.trustTool({ gptId, serverId, toolName: 'echo', trusted: true })
    const trusted = (await listGpts(db)).find(({ id }) => id === gptId)?.tools.trustedTools
    expect(trusted).toMatchObject([{ serverId, toolName: 'echo', endpoint: everything().url }])
    await engine.trustTool({ gptId, serverId, toolName: 'echo', trusted: false })
    expect(await failureCode(engine.trustTool({ gptId, serverId, toolName: 'no such', trusted: true }))).toBe(
      'tool-gone',
    )
    const copy = await engine.duplicateGpt({ gptId })
    expect((await listGpts(db)).find(({ id }) => id === copy.gptId)?.name).toBe('Echo copy')
    const { conversationId } = await engine.startConversation({ gptId, text: 'hello there' })
    await isIdle(conversationId)
    expect(await engine.deleteGpt({ gptId })).toEqual({ conversations: 1 })
    await engine.restoreGpt({ gptId })
    expect(await conversation(db, conversationId)).toBeDefined()
    await engine.revokeAllGrants()
    expect(await grants(db)).toEqual([])
  })

  test('a server is tested before it is saved, switched off and on, removed and brought back', async () => {
    const report = await engine.testServer({ server: everything(), secrets: {} })
    expect(report.failure).toBeUndefined()
    expect(report.found?.tools.map(({ name }) => name)).toContain('echo')
    const { serverId } = await engine.saveServer({
      server: { ...everything(), authentication: { type: 'bearer' } },
      secrets: { token: 'c4n4ry' },
    })
    await until(() => state.servers[serverId]?.state === 'connected')
    await engine.saveServer({ server: everything(), secrets: {}, serverId })
    expect(await db.secrets.where('id').startsWith(`mcpServers:${serverId}:`).count()).toBe(0)
    await engine.enableServer({ serverId, enabled: false })
    expect(state.servers[serverId]?.state).toBe('disconnected')
    await engine.enableServer({ serverId, enabled: true })
    await engine.connectServer({ serverId })
    expect(state.servers[serverId]?.state).toBe('connected')
    expect(await engine.deleteServer({ serverId })).toEqual({ gpts: 0, grants: 0 })
    await engine.restoreServer({ serverId })
    await until(() => state.servers[serverId]?.state === 'connected')
    const odd: ServerInput = { ...everything(), authentication: { type: 'api-key', header: 'mcp-session-id' } }
    expect(await failureCode(engine.saveServer({ server: odd, secrets: {} }))).toBe('bad-input')
    expect(await failureCode(engine.saveServer({ server: { ...everything(), url: 'ftp://x' }, secrets: {} }))).toBe(
      'bad-input',
    )
  })

  test('without a companion it says so, and nothing waits for one', async () => {
    expect(state.companion).toBe('absent')
    expect(await engine.companionServers()).toMatchObject({ present: false, servers: [] })
    expect(await failureCode(engine.restartCompanionServer({ name: 'x' }))).toBe('companion')
  })

  test('a locked vault keeps keys to itself, in models and servers', async () => {
    const model = { kind: 'compatible', name: 'Nowhere', baseUrl: 'http://127.0.0.1:9/v1', api: 'chat' } as const
    expect((await engine.testModel({ model, key: 'k3y' })).failure?.code).toBeDefined()
    const { connectionId } = await engine.saveModel({ model, key: 'k3y' })
    expect((await models(db)).find(({ id }) => id === connectionId)?.hasKey).toBe(true)
    await engine.setPassphrase({ passphrase: 'correct horse battery' })
    expect(state.vault).toMatchObject({ state: 'open', protection: 'passphrase' })
    expect(await failureCode(engine.setPassphrase({ passphrase: '' }))).toBe('bad-input')
    await engine.lock()
    await until(() => state.vault.state === 'locked')
    expect(await failureCode(engine.saveModel({ model, key: 'other', connectionId }))).toBe('vault-locked')
    expect(
      await failureCode(
        engine.saveServer({ server: { ...everything(), authentication: { type: 'bearer' } }, secrets: { token: 't' } }),
      ),
    ).toBe('vault-locked')
    expect(await failureCode(engine.unlock({ passphrase: 'wrong' }))).toBe('wrong-passphrase')
    await engine.unlock({ passphrase: 'correct horse battery' })
    await engine.touch()
    await engine.removeProtection({ passphrase: 'correct horse battery' })
    expect(state.vault.protection).toBe('device')
    await engine.setPasskey({
      credentialId: new Uint8Array(16),
      salt: new Uint8Array(32),
      prf: new Uint8Array(32).fill(7),
    })
    expect(state.vault.protection).toBe('passkey')
    await engine.removeProtection({ prf: new Uint8Array(32).fill(7) })
    expect(await engine.deleteModel({ connectionId })).toEqual({ gpts: 0 })
    await engine.restoreModel({ connectionId })
    await engine.saveSetting({ key: 'idleLockMinutes', value: 5 })
    expect(await setting(db, 'idleLockMinutes')).toBe(5)
  })
})
