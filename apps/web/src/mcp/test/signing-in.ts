import { generateKeyPairSync } from 'node:crypto'
import { AuthorizationServer } from '@switchboard/testkit/authorization-server'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { type Protection, protect } from '@switchboard/testkit/protected-server'
import type { Server } from '#domain/server.ts'
import { APP_ORIGIN, scenario, serverRecord } from './scenario.ts'

export const CALLBACK = `${APP_ORIGIN}/oauth/callback`

/** A server behind a house that signs people in, and the app before both. */
export async function protectedScenario(change: Partial<Server> = {}, rules: Partial<Protection> = {}) {
  const far = await new FaultServer({ era: 'sessions' }).start()
  const house = await new AuthorizationServer().start()
  const protection = protect(far, house, rules)
  const record = serverRecord('a', far.url, { authentication: { type: 'auto' }, ...change })
  const app = await scenario([record])
  return {
    far,
    house,
    protection,
    app,
    record,
    /** The offer that the state of the connection holds. */
    offer() {
      const state = app.stateOf('a')
      if (state?.state !== 'error' || !state.signIn) throw new Error(`No sign-in is offered: ${JSON.stringify(state)}`)
      return state.signIn
    },
    /** Everything that the page or a log could see. */
    seen: () => JSON.stringify([app.states, app.learnt, [...app.notes.values()]]),
    /** Stands for a person: goes where the offer leads, and brings back the query of the page that they came to. */
    visit: async (url: string): Promise<string> => String(await house.signIn(new URL(url))),
    async [Symbol.asyncDispose](): Promise<void> {
      await app[Symbol.asyncDispose]()
      await far.close()
      await house.close()
    },
  }
}

/** A pair of keys: what the app is given, and what the house knows. */
export function keyPair(kind: 'RS256' | 'ES256') {
  const { privateKey, publicKey } =
    kind === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey }
}
