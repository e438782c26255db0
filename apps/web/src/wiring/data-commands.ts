import { Failed } from '#domain/failure.ts'
import type { GptTools } from '#domain/gpt.ts'
import { createRecordings } from '#storage/recordings.ts'
import { createGrants } from '#storage/grants.ts'
import { createToolLedger } from '#storage/tool-ledger.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names =
  | 'exportGpt'
  | 'readGptFile'
  | 'importGpt'
  | 'importConversation'
  | 'makeBackup'
  | 'readBackup'
  | 'restoreBackup'
  | 'exportRecordings'
  | 'clearRecordings'
  | 'seeTools'

const UNTRUSTED: Pick<GptTools, 'approval' | 'trustedTools' | 'pollSeconds' | 'asyncTasks'> = {
  approval: 'always-ask',
  trustedTools: [],
  pollSeconds: 5,
  asyncTasks: true,
}

/** The formats are needed now and then: they are loaded when they are. */
const gptFiles = () => import('#domain/gpt-file.ts')
const backups = () => import('./backup-file.ts')

export function dataCommands(parts: EngineParts): Carried<Names> {
  const { db, gpts, servers, mcp, recorder } = parts

  const readFile = async (text: string) => {
    const { readGptFile, isSamePlace } = await gptFiles()
    const file = readGptFile(text)
    const known = await servers.servers()
    return { file, matches: file.servers.map((one) => ({ one, here: known.find((own) => isSamePlace(own, one)) })) }
  }

  return {
    async exportGpt({ gptId }) {
      const gpt = await gpts.gpt(gptId)
      if (!gpt) throw new Failed('not-found', 'This GPT is not there any more.')
      const { writeGptFile } = await gptFiles()
      return writeGptFile(gpt, await servers.servers())
    },
    async readGptFile({ text }) {
      const { file, matches } = await readFile(text)
      const { name, description, icon, instructions, model } = file
      const grants = await createGrants(db).grantsFor(matches.flatMap(({ here }) => here?.id ?? []))
      return {
        name,
        description,
        icon,
        instructions,
        ...(model !== undefined && { model }),
        servers: matches.map(({ one, here }) => ({
          name: here?.name ?? one.name,
          place: one.transport === 'stdio' ? `${one.companionName} of the companion` : one.url,
          isHere: here !== undefined,
        })),
        allowedEverywhere: grants
          .filter(({ scope }) => scope === 'always')
          .map(({ serverName, toolName }) => ({ serverName, toolName })),
      }
    },
    async importGpt({ text }) {
      const { file, matches } = await readFile(text)
      const { name, description, icon, instructions, settings, starters } = file
      const serverIds: string[] = []
      const disabledTools: { serverId: string; toolName: string }[] = []
      for (const { one, here } of matches) {
        const { disabledTools: names, ...place } = one
        // A stranger's file names the address: nothing is sent there before the user has looked and switched it on.
        const server =
          here ??
          (await servers.add({
            ...place,
            headerNames: [],
            authentication: { type: 'auto' },
            timeoutSeconds: 30,
            retries: 3,
            relay: false,
            trusted: false,
            enabled: false,
          }))
        serverIds.push(server.id)
        for (const toolName of names) disabledTools.push({ serverId: server.id, toolName })
      }
      const gpt = await gpts.create({
        name,
        description,
        icon,
        instructions,
        settings,
        starters,
        // Neither a policy nor trust comes with a file: the new GPT asks.
        tools: { ...UNTRUSTED, serverIds, disabledTools },
      })
      return { gptId: gpt.id }
    },
    async importConversation({ text, gptId }) {
      const { readConversationFile } = await import('#domain/conversation-file.ts')
      const { addConversation } = await import('#storage/add-conversation.ts')
      const read = readConversationFile(text, Date.now(), () => crypto.randomUUID())
      return { conversationId: await addConversation(db, gptId, read) }
    },
    async exportRecordings({ serverId }) {
      const { writeRecordings } = await import('#domain/recording-file.ts')
      await recorder.flush()
      const rows = await db.recordings.toArray()
      return writeRecordings(
        rows.filter((row) => serverId === undefined || row.serverId === serverId),
        Date.now(),
      )
    },
    async seeTools({ serverId, shown }) {
      await createToolLedger(db).see(serverId, shown)
      mcp.connections.look(serverId)
    },
    async clearRecordings() {
      // What this tab recorded before would otherwise come back after it.
      await recorder.flush()
      await createRecordings(db).clear()
    },
    makeBackup: async (input) => (await backups()).makeBackup(parts, input),
    readBackup: async (input) => (await backups()).readBackup(input),
    restoreBackup: async (input) => (await backups()).restoreBackup(parts, input),
  }
}
