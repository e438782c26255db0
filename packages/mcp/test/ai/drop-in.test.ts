import * as library from '@switchboard/mcp'
import {
  createMCPClient,
  ElicitationRequestSchema,
  ElicitResultSchema,
  isMCPError,
  MCPClientError,
  MCPError,
  validateJSONRPCMessage,
} from '@switchboard/mcp'
import * as withOAuth from '@switchboard/mcp/oauth'
import {
  AuthorizationServerMismatchError,
  createMCPClient as createSignedInClient,
  experimental_createMCPClient as experimentalSignedInClient,
  MCPClientOAuthError,
  OAuthError,
  UnauthorizedError,
} from '@switchboard/mcp/oauth'
import * as peer from '@ai-sdk/mcp'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ScriptedTransport } from '../scenarios/scripted-transport.ts'
import { scripted, tool } from './scripted-client.ts'

describe('in the place of @ai-sdk/mcp', () => {
  it('[D19] every name that it exports is here', () => {
    const ours = { ...library, ...withOAuth }
    const missing = Object.keys(peer).filter((name) => !(name in ours))
    expect(missing).toEqual([])
  })

  it('[D19] a client has every member that its documentation names', async () => {
    const { client } = await scripted([])
    const members =
      'serverInfo initializeResult instructions tools listTools callTool toolsFromDefinitions listResources readResource listResourceTemplates listPrompts getPrompt experimental_listPrompts experimental_getPrompt complete onElicitationRequest experimental_events close'
    expect(members.split(' ').filter((name) => !(name in client))).toEqual([])
  })

  it('[D20] the AI SDK is neither imported nor named by a type', () => {
    const folder = fileURLToPath(new URL('../../src/', import.meta.url))
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    )
    const imports = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import\()\s*'([^.'][^']*)'/g)].map(
        ([, from]) => from,
      ),
    )
    expect([...new Set(imports)].filter((from) => !from?.startsWith('node:'))).toEqual(['oauth4webapi'])
  })

  it('[D6] what the tools need is there when createMCPClient has connected', async () => {
    const client = await createMCPClient({ transport: new ScriptedTransport() })
    expect(Object.keys(client.toolsFromDefinitions({ tools: [tool('one') as library.Tool] }))).toEqual(['one'])
    await client.close()
  })

  it('[D21] structured content without content is content too', async () => {
    const { client } = await scripted([tool('one')], () => ({ structuredContent: { sum: 3 } }))
    expect((await client.callTool({ name: 'one' })).content).toEqual([{ type: 'text', text: '{"sum":3}' }])
  })
})

describe('MCPClientError', () => {
  it('[D14] every MCPError is one', () => {
    const error: unknown = new MCPError('x', 'http', { statusCode: 503, url: 'https://a.example/mcp' })
    expect(error).toBeInstanceOf(MCPClientError)
    expect(MCPClientError.isInstance(error) && [error.code, error.statusCode, error.url, error.responseBody]).toEqual([
      undefined,
      503,
      'https://a.example/mcp',
      undefined,
    ])
    expect(MCPClientError.isInstance(new Error('x'))).toBe(false)
    expect(new TypeError('x')).not.toBeInstanceOf(MCPClientError)
    expect(MCPClientError.isInstance(undefined)).toBe(false)
  })

  it('[D14] can be made, as with @ai-sdk/mcp, and is an MCPError', () => {
    const cause = new Error('why')
    const error = new MCPClientError({ name: 'mine', message: 'no', cause, data: 1, code: -32602 })
    expect(isMCPError(error) && error instanceof MCPError).toBe(true)
    expect(error).toMatchObject({ message: 'no', cause, data: 1, code: -32602, reason: 'rpc' })
    expect(new MCPClientError({ message: 'no', statusCode: 502 })).toMatchObject({ reason: 'http', statusCode: 502 })
    expect(new MCPClientError({ message: 'no' })).toMatchObject({ reason: 'protocol', code: undefined })
  })

  it('[D14] what one derives from it is a class of its own, and any name is kept', () => {
    class Mine extends MCPClientError {}
    class Theirs extends peer.MCPClientError {}
    const mine: unknown = new Mine({ message: 'no', name: 'Mine' })
    expect([mine instanceof Mine, mine instanceof MCPClientError, mine instanceof MCPError]).toEqual([true, true, true])
    expect(new MCPError('x', 'http')).not.toBeInstanceOf(Mine)
    expect(new MCPClientError({ message: 'x' })).not.toBeInstanceOf(Mine)
    for (const [Error, Derived] of [
      [MCPClientError, Mine],
      [peer.MCPClientError, Theirs],
    ] as const) {
      expect(new Error({ message: 'no' }).name).toBe('MCPClientError')
      expect(new Error({ message: 'no', name: 'Other' }).name).toBe('Other')
      expect([
        Derived.isInstance(new Error({ message: 'no' })),
        Error.isInstance(new Derived({ message: 'no' })),
      ]).toEqual([true, true])
      expect([undefined, null, 7, 'x', {}].map((value) => Error.isInstance(value))).not.toContain(true)
      expect([undefined, null, 7, 'x', {}].map((value: unknown) => value instanceof Derived)).not.toContain(true)
    }
  })

  it('[X2] only what has a JSON-RPC code has one', () => {
    const code = (reason: library.Reason) => new MCPError('x', reason).code
    expect([code('timeout'), code('session-expired'), code('network')]).toEqual([-32000, -32000, -32001])
    for (const reason of ['http', 'unauthorized', 'redirect', 'protocol', 'too-large', 'limit', 'closed'] as const)
      expect(code(reason)).toBeUndefined()
  })
})

describe('the schemas of elicitation', () => {
  const request = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: {}, more: 1 } }

  it('[D18] take what they are for, as it is', () => {
    expect(ElicitationRequestSchema.parse(request)).toBe(request)
    expect(ElicitationRequestSchema.safeParse(request)).toEqual({ success: true, data: request })
    expect(ElicitationRequestSchema['~standard'].validate(request)).toEqual({ value: request })
    const result = { action: 'accept', content: { name: 'Ada' } }
    expect(ElicitResultSchema.parse(result)).toBe(result)
    expect(ElicitResultSchema.parse({ action: 'cancel' })).toEqual({ action: 'cancel' })
  })

  it.each([undefined, null, 'x', [], {}, { method: 'ping' }, { method: 'elicitation/create', params: { message: 1 } }])(
    '[D18] refuse %j',
    (value) => {
      for (const schema of [ElicitationRequestSchema, ElicitResultSchema]) {
        expect(() => schema.parse(value)).toThrow(TypeError)
        expect(schema.safeParse(value)).toMatchObject({ success: false })
        expect(schema['~standard'].validate(value)).toHaveProperty('issues')
      }
    },
  )

  it('[D18] cannot be changed by anybody', () => {
    for (const schema of [ElicitationRequestSchema, ElicitResultSchema]) {
      expect(Object.isFrozen(schema) && Object.isFrozen(schema['~standard'])).toBe(true)
    }
    expect(() => ElicitResultSchema.parse({ action: 'accept', content: [] })).toThrow(TypeError)
  })
})

describe('validateJSONRPCMessage', () => {
  it.each([
    { jsonrpc: '2.0', id: 0, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/x', params: {} },
    { jsonrpc: '2.0', id: 'a', result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } },
    { jsonrpc: '2.0', error: { code: 1, message: 'm' } },
  ])('[D19] takes %j, as @ai-sdk/mcp does', (message) => {
    expect(validateJSONRPCMessage(message)).toBe(message)
    expect(() => peer.validateJSONRPCMessage(message)).not.toThrow()
  })

  it.each([
    null,
    'ping',
    [],
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: 'm' } },
    { jsonrpc: '2.0', id: 1, method: 'ping', extra: 1 },
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'm' } },
    { jsonrpc: '2.0', id: 1 },
  ])('[D19] refuses %j, as @ai-sdk/mcp does', (message) => {
    expect(() => validateJSONRPCMessage(message)).toThrow(TypeError)
    expect(() => peer.validateJSONRPCMessage(message)).toThrow()
  })
})

describe('the errors of signing in', () => {
  it('[D14] have the names of @ai-sdk/mcp too', () => {
    const denied: unknown = new OAuthError('denied', 'no')
    expect(denied).toBeInstanceOf(MCPClientOAuthError)
    expect(denied).not.toBeInstanceOf(AuthorizationServerMismatchError)
    expect(denied).toBeInstanceOf(UnauthorizedError)
    expect(MCPClientOAuthError.isInstance(denied)).toBe(true)
    const changed: unknown = new OAuthError('issuer-mismatch', 'another')
    expect(changed).toBeInstanceOf(AuthorizationServerMismatchError)
    expect(AuthorizationServerMismatchError.isInstance(changed)).toBe(true)
    expect(MCPClientOAuthError.isInstance(new MCPError('x', 'unauthorized'))).toBe(false)
    expect(new MCPClientOAuthError({ message: 'no', cause: 1 })).toMatchObject({ message: 'no', cause: 1 })
    expect(experimentalSignedInClient).toBe(createSignedInClient)
  })

  it('[D14] what one makes of them is what it says', () => {
    class Mine extends UnauthorizedError {}
    class Other extends AuthorizationServerMismatchError {}
    const unauthorized: unknown = new MCPError('x', 'unauthorized')
    expect([unauthorized instanceof UnauthorizedError, unauthorized instanceof Mine]).toEqual([true, false])
    const mine: unknown = new Mine()
    expect([mine instanceof Mine, mine instanceof UnauthorizedError, isMCPError(mine)]).toEqual([true, true, true])
    const mismatch: unknown = new OAuthError('issuer-mismatch', 'another')
    expect([mismatch instanceof AuthorizationServerMismatchError, mismatch instanceof Other]).toEqual([true, false])
    for (const [ours, theirs] of [
      [withOAuth, peer],
      [peer, withOAuth],
    ]) {
      const made: Error = new ours!.AuthorizationServerMismatchError({ message: 'another', cause: 1 })
      expect(made).toBeInstanceOf(ours!.AuthorizationServerMismatchError)
      expect(made).toBeInstanceOf(ours!.MCPClientOAuthError)
      expect(ours!.AuthorizationServerMismatchError.isInstance(made)).toBe(true)
      expect(ours!.MCPClientOAuthError.isInstance(made)).toBe(true)
      const plain: Error = new ours!.MCPClientOAuthError({ message: 'no' })
      expect(ours!.AuthorizationServerMismatchError.isInstance(plain)).toBe(false)
      expect(plain).not.toBeInstanceOf(ours!.AuthorizationServerMismatchError)
      expect([made.name, made.cause, plain.name, new ours!.UnauthorizedError().name]).toEqual([
        new theirs!.AuthorizationServerMismatchError({ message: 'x' }).name,
        1,
        new theirs!.MCPClientOAuthError({ message: 'x' }).name,
        new theirs!.UnauthorizedError().name,
      ])
    }
  })
})
