import type { Failure, ServerError } from '#domain/failure.ts'
import { visibleText } from '#lib/visible-text.ts'
import type { CommandName } from './commands.ts'

export interface Explanation {
  title: string
  text: string
  /** The next step: a place to go, or a command that the screen gives with what it knows. */
  action?: { label: string; to: string } | { label: string; command: CommandName }
  /** The server's own error, to be shown below the text. */
  serverError?: ServerError | undefined
}

/** What the screen knows of where it happened. */
export interface Whereabouts {
  serverId?: string | undefined
}

const MODELS = '/settings/models'
const VAULT = '/settings/vault'
const DATA = '/settings/data'

/** A failure in words, with a next step. */
export const explain = (failure: Failure, where: Whereabouts = {}): Explanation => ({
  ...wordsFor(failure, where),
  ...(failure.serverError && { serverError: failure.serverError }),
})

function wordsFor({ code, message, retryAt }: Failure, { serverId }: Whereabouts): Explanation {
  // A message may quote a server.
  const text = visibleText(message)
  const server = serverId ? `/servers/${encodeURIComponent(serverId)}` : '/servers'
  switch (code) {
    case 'bad-input':
      return { title: 'Please check what you entered', text }
    case 'not-found':
      return { title: 'It is not there any more', text, action: { label: 'Go to your chats', to: '/' } }
    case 'vault-locked':
      return { title: 'The vault is locked', text, action: { label: 'Unlock', to: VAULT } }
    case 'wrong-passphrase':
      return { title: 'That passphrase does not fit', text }
    case 'wrong-key':
      return { title: 'The key was refused', text, action: { label: 'Check the key', to: MODELS } }
    case 'no-model':
      return { title: 'No model is connected', text, action: { label: 'Connect a model', to: MODELS } }
    case 'unknown-model':
      return { title: 'The service does not have this model', text, action: { label: 'Choose a model', to: MODELS } }
    case 'rate-limit':
      return {
        title: 'Too many requests for now',
        text: retryAt === undefined ? text : `${text} Worth trying again after ${timeOf(retryAt)}.`,
        action: { label: 'Try again', command: 'continueTurn' },
      }
    case 'too-long':
      return { title: 'The conversation is too long for this model', text, action: { label: 'New chat', to: '/' } }
    case 'refused-by-model':
      return { title: 'The model declined', text }
    case 'no-network':
      return { title: 'No connection', text, action: { label: 'Try again', command: 'continueTurn' } }
    case 'cors':
      return {
        title: 'The service does not answer this page',
        text,
        action: { label: 'Check the address', to: MODELS },
      }
    case 'timeout':
      return { title: 'No answer in time', text, action: { label: 'Try again', command: 'continueTurn' } }
    case 'stopped':
      return { title: 'Stopped', text, action: { label: 'Continue', command: 'continueTurn' } }
    case 'server-unreachable':
      return { title: 'The server could not be reached', text, action: { label: 'Open the server', to: server } }
    case 'server-disabled':
      return { title: 'The server is turned off', text, action: { label: 'Open the server', to: server } }
    case 'sign-in-needed':
      return { title: 'The server wants to know who you are', text, action: { label: 'Open the server', to: server } }
    case 'protocol':
      return {
        title: 'The server answered in an unexpected way',
        text,
        action: { label: 'Open the server', to: server },
      }
    case 'not-given':
      return { title: 'The server did not give it', text }
    case 'tool-gone':
      return { title: 'This tool has changed or is gone', text, action: { label: 'Look at its tools', to: server } }
    case 'no-such-tool':
      return { title: 'There is no such tool', text }
    case 'tool-failed':
      return { title: 'The tool failed', text }
    case 'bad-arguments':
      return { title: 'The arguments do not fit the tool', text }
    case 'bad-result':
      return { title: 'The result is not what the tool promises', text }
    case 'outcome-unknown':
      return { title: 'It may have run', text, action: { label: 'Run again', command: 'runAgain' } }
    case 'call-limit':
      return { title: 'Many tool calls in one turn', text, action: { label: 'Continue', command: 'continueTurn' } }
    case 'busy-elsewhere':
      return { title: 'This chat is busy in another tab', text }
    case 'storage':
      return { title: 'It could not be saved', text, action: { label: 'Look at your data', to: DATA } }
    case 'storage-full':
      return { title: 'There is no room left', text, action: { label: 'Make room', to: DATA } }
    case 'storage-denied':
      return { title: 'This browser stores nothing for this address', text }
    case 'storage-blocked':
      return { title: 'Another tab is in the way', text }
    case 'storage-newer':
      return { title: 'This version of the app is too old for your data', text }
    case 'storage-outdated':
      return { title: 'A newer version of the app is open', text }
    case 'storage-gone':
      return { title: 'Your data is gone from this browser', text }
    case 'storage-damaged':
      return { title: 'Your data cannot be read', text }
    case 'companion':
      return { title: 'The companion is needed', text, action: { label: 'Open the server', to: server } }
    case 'internal':
      return {
        title: 'A fault in this app',
        text: `${text} Your data is as it was. If it happens again, reload the page.`,
      }
  }
}

const timeOf = (at: number): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
