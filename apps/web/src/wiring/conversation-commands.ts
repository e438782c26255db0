import { titleOf } from '#agent/title.ts'
import { Failed } from '#domain/failure.ts'
import { createDrafts } from '#storage/drafts.ts'
import { createSettings } from '#storage/settings.ts'
import { createToolCalls } from '#storage/tool-calls.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'startConversation'
  | 'sendMessage'
  | 'editMessage'
  | 'regenerate'
  | 'continueTurn'
  | 'stop'
  | 'switchBranch'
  | 'renameConversation'
  | 'deleteConversation'
  | 'restoreConversation'
  | 'exportConversation'
  | 'saveDraft'
  | 'saveAttachments'
  | 'answerApproval'
  | 'cancelCall'
  | 'runAgain'
  | 'rawMessages'

export function conversationCommands({
  db,
  conversations,
  messages,
  gpts,
  turns,
  mcp,
  tasks,
}: EngineParts): Carried<Names> {
  const drafts = createDrafts(db)
  const settings = createSettings(db)
  const calls = createToolCalls(db)
  /** A turn goes as far as it can by itself; whoever gave the command does not wait for that. */
  const goOn = (conversationId: string, options?: { goOn: boolean }) => void turns.run(conversationId, options)

  /** What came of tasks while nobody could be told is told now. Nothing else begins by itself because somebody looks. */
  const tellNews = async (conversationId: string): Promise<void> => {
    if (await tasks.hasNews(conversationId)) goOn(conversationId)
  }

  const mustBeAnswered = async (conversationId: string, branchId: string): Promise<void> => {
    const conversation = await conversations.conversation(conversationId)
    const last = (await messages.shown(conversationId)).at(-1)
    const isWhole =
      last?.role === 'assistant' && last.status === 'done' && !last.parts.some(({ type }) => type === 'tool')
    if (isWhole && conversation?.branchId === branchId) return
    throw new Failed(
      'bad-input',
      'Your message was not sent, as things went another way meanwhile. Look first, then send it.',
    )
  }

  const regenerating = new Set<string>()

  return {
    async startConversation({ gptId, text, attachments, takesDraft }) {
      const title = titleOf(text.trim() || (attachments?.[0]?.name ?? ''))
      const { id } = await conversations.start({ gptId, title, text, attachments, takesDraft })
      await settings.save('defaultGptId', gptId)
      goOn(id)
      return { conversationId: id }
    },
    // Saying something new ends what was under way: questions that were open are cancelled, and the model is told.
    async sendMessage({ conversationId, text, attachments, after }) {
      if (after === undefined) await turns.stop(conversationId)
      else await mustBeAnswered(conversationId, after)
      await messages.send(conversationId, text, attachments)
      goOn(conversationId)
    },
    async editMessage({ conversationId, messageId, text, attachments }) {
      await turns.stop(conversationId)
      await messages.edit(conversationId, messageId, text, attachments)
      goOn(conversationId)
    },
    async regenerate({ conversationId, messageId }) {
      // Asked for twice, it is done once: the answer that is being made now is the one that was wanted.
      if (regenerating.has(messageId)) return
      regenerating.add(messageId)
      try {
        if (!(await messages.shown(conversationId)).some(({ id }) => id === messageId)) return
        await turns.stop(conversationId)
        await messages.branchBefore(conversationId, messageId)
        goOn(conversationId)
      } finally {
        regenerating.delete(messageId)
      }
    },
    async continueTurn({ conversationId }) {
      goOn(conversationId, { goOn: true })
    },
    stop: ({ conversationId }) => turns.stop(conversationId),
    async switchBranch({ conversationId, branchId }) {
      await turns.stop(conversationId)
      await conversations.switchBranch(conversationId, branchId)
      await tellNews(conversationId)
    },
    renameConversation: ({ conversationId, title }) => conversations.renameConversation(conversationId, title, 'user'),
    async deleteConversation({ conversationId }) {
      // It goes even where another tab is busy with it: that turn ends by itself when it finds it gone.
      await turns.stop(conversationId).catch(() => {})
      await conversations.remove(conversationId)
    },
    async restoreConversation({ conversationId }) {
      await conversations.restore(conversationId)
      await tellNews(conversationId)
    },
    async exportConversation({ conversationId, format }) {
      const conversation = await conversations.conversation(conversationId)
      if (!conversation) throw new Failed('not-found', 'This conversation is not there any more.')
      const shown = await messages.shown(conversationId)
      const { exportConversation } = await import('#domain/export-format.ts')
      return exportConversation(
        {
          conversation,
          gpt: await gpts.gpt(conversation.gptId),
          messages: shown,
          calls: await calls.callsOf(shown.map(({ id }) => id)),
        },
        format,
      )
    },
    saveDraft: ({ id, text }) => drafts.save(id, text),
    saveAttachments: ({ id, attachments }) => drafts.attach(id, attachments),

    answerApproval: ({ conversationId, answers }) => turns.answer(conversationId, answers),
    cancelCall: ({ toolCallId }) => turns.cancelCall(toolCallId),
    runAgain: ({ toolCallId }) => turns.runAgain(toolCallId),
    rawMessages: async ({ toolCallId }) => mcp.rawMessages(toolCallId),
  }
}
