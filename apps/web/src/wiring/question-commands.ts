import { suspendedId } from '#domain/sealed.ts'
import { listGpts } from '#storage/live.ts'
import { createSettings } from '#storage/settings.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'answerQuestion' | 'draftSample'

const SILENCE_MS = 120_000

/** What servers ask in the middle of a call, and what the user says to it. */
export function questionCommands({ db, mcp, models, turns, vault }: EngineParts): Carried<Names> {
  const storage = createTurnStorage(db)

  return {
    async answerQuestion(answer) {
      const found = await storage.question(answer.questionId)
      if (answer.action === 'accept' && found?.kind === 'form') {
        const faults = await mcp.checkForm(found.schema ?? {}, answer.content ?? {})
        if (faults.length > 0) return { faults }
      }
      // What the call goes on with lies in the vault: an answer that cannot be sent must not be taken.
      if (found?.lasts && found.kind !== 'sign-in')
        await vault.open(suspendedId({ id: found.toolCallId, serverId: found.serverId }))
      await turns.answerQuestion(answer)
      return { faults: [] }
    },

    async draftSample({ questionId, seen }) {
      const { draftSample } = await import('#agent/draft-sample.ts')
      const defaultGpt = async () => {
        const gpts = await listGpts(db)
        const wanted = await createSettings(db).setting('defaultGptId')
        return gpts.find(({ id }) => id === wanted) ?? gpts[0]
      }
      await draftSample({ storage, models, defaultGpt, silenceMs: SILENCE_MS }, questionId, seen)
    },
  }
}
