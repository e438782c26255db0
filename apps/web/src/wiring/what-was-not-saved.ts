import type { CommandName } from './commands.ts'

const WORDS: { [Name in CommandName]?: string | undefined } = {
  startConversation: 'your message',
  sendMessage: 'your message',
  editMessage: 'your message',
  saveDraft: 'what you are typing',
  saveAttachments: 'what you attached',
  answerApproval: 'your answer',
  answerQuestion: 'your answer',
  createGpt: 'the GPT',
  updateGpt: 'the GPT',
  saveServer: 'the server',
  saveModel: 'the model',
  // These only look whether there is room again.
  tryStorage: undefined,
  leaveMemory: undefined,
}

/** What a command wanted to store, for people; undefined where it was nothing of theirs. */
export const whatWasNotSaved = (name: CommandName): string | undefined =>
  Object.hasOwn(WORDS, name) ? WORDS[name] : 'your last change'
