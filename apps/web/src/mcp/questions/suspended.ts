import type { SavedSession } from '@switchboard/mcp'
import { suspendedId } from '#domain/sealed.ts'
import type { StreamPlace } from './call-streams.ts'
import type { QuestionNeeds } from './needs.ts'

/** What a call needs to go on once its questions are answered, in whichever engine. It lies in the vault. */
export type Suspended =
  /** Without sessions: the server's own state, sent back as it came, and which question is which. */
  | { era: 'stateless'; rounds: number; requestState?: unknown; keys: { [questionId: string]: string } }
  /** With sessions: the session, the place in the stream of the call, and the questions, which the server does not ask twice. */
  | { era: 'sessions'; session: SavedSession; place: StreamPlace; asked: AskedOnStream[] }

export interface AskedOnStream {
  questionId: string
  id: string | number
  method: string
  params: Record<string, unknown>
}

type Whose = { id: string; serverId: string }

export const suspend = (needs: QuestionNeeds, call: Whose, suspended: Suspended): Promise<void> =>
  needs.seal(suspendedId(call), JSON.stringify(suspended))

export const forgetSuspended = (needs: QuestionNeeds, call: Whose): Promise<void> => needs.remove(suspendedId(call))

/** What was put away for this call; undefined for one that was never asked anything. Rejects with `Failed` (`vault-locked`). */
export async function openSuspended(needs: QuestionNeeds, call: Whose): Promise<Suspended | undefined> {
  const text = await needs.open(suspendedId(call))
  return text === undefined ? undefined : (JSON.parse(text) as Suspended)
}
