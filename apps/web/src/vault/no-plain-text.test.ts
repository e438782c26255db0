import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { secretId } from '#domain/sealed.ts'
import { Database } from '#storage/db.ts'
import { createModelConnections } from '#storage/model-connections.ts'
import { allRows, serverInput } from '#storage/sample-rows.ts'
import { createSecrets } from '#storage/secrets.ts'
import { createServers } from '#storage/servers.ts'
import { quickDerivation } from './quick-derivation.ts'
import { createVault } from './vault.ts'

quickDerivation()

/** Whatever is stored, as text: strings as they are, bytes as Latin-1. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

const encodingsOf = (secret: string) => {
  const bytes = Buffer.from(secret)
  const wide = Buffer.from(secret, 'utf16le')
  return [
    bytes.toString('latin1'),
    wide.toString('latin1'),
    wide.swap16().toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]
}

const randomSecret = (at: number) =>
  [`sk-${crypto.randomUUID()}`, `pässwört "${crypto.randomUUID()}"`, `${crypto.randomUUID()}`.repeat(9)][at % 3] ?? ''

test('[A8.1] no secret lies in any row at any moment, in any usual encoding', async () => {
  for (let at = 0; at < 12; at += 1) {
    const db = new Database(crypto.randomUUID())
    const [key, token, passphrase] = [randomSecret(at), randomSecret(at + 1), randomSecret(at + 2)]
    const wanted = [key, token, passphrase].flatMap(encodingsOf)
    const look = async () => {
      const stored = textsIn(await allRows(db)).join('\n')
      expect(wanted.filter((secret) => stored.includes(secret))).toEqual([])
    }
    const channel = new BroadcastChannel(db.name)
    const vault = await createVault({ store: createSecrets(db), channel })
    const server = await createServers(db).add(serverInput({ authentication: { type: 'bearer' } }))
    const model = await createModelConnections(db).add({ kind: 'openai', name: 'm', baseUrl: 'https://m', api: 'chat' })
    const steps = [
      () => vault.seal(secretId('mcpServers', server.id, 'token'), token),
      () => vault.seal(secretId('modelConnections', model.id, 'key'), key),
      () => vault.setPassphrase(passphrase),
      () => vault.seal(secretId('modelConnections', model.id, 'key'), `${key} again`),
      () => vault.lock(),
      () => vault.unlock({ passphrase }),
      () => vault.removeProtection({ passphrase }),
    ]
    for (const step of steps) {
      await step()
      await look()
    }
    expect(await vault.open(secretId('mcpServers', server.id, 'token'))).toBe(token)
    channel.close()
  }
})

test('no failure of the vault tells a secret', async () => {
  const db = new Database(crypto.randomUUID())
  const channel = new BroadcastChannel(db.name)
  const vault = await createVault({ store: createSecrets(db), channel })
  const id = secretId('mcpServers', 's', 'token')
  await vault.seal(id, 'the-secret-token')
  await vault.setPassphrase('the-secret-passphrase')
  const failures = await Promise.all(
    [
      vault.unlock({ passphrase: 'the-secret-typo' }),
      vault.setPassphrase('the-secret-new-one'),
      vault.setPassphrase('the-secret-new-one', { passphrase: 'the-secret-typo' }),
      db.secrets.update(id, { version: 1 }).then(() => vault.open(id)),
    ].map((deed) =>
      deed.then(
        () => 'no failure',
        (cause: unknown) => `${cause} ${JSON.stringify(cause)}`,
      ),
    ),
  )
  for (const failure of failures) {
    expect(failure).toMatch(/Failed/)
    expect(failure).not.toMatch(/the-secret/)
  }
  channel.close()
})
