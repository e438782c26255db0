import { whyNotAttach } from '#domain/attachment-limits.ts'
import type { Attachment } from '#domain/message.ts'
import { readFiles } from './read-files.ts'

/** Files beside what is attached already; those that do not go along are told of in words. */
export async function attachFiles(
  files: readonly File[],
  /** What is attached when they are read. */
  before: () => readonly Attachment[],
): Promise<{ attachments?: Attachment[]; problem: string | undefined }> {
  const { attachments, problems } = await readFiles(files)
  const all = [...before(), ...attachments]
  const tooMuch = whyNotAttach(all)
  if (tooMuch !== undefined) return { problem: tooMuch }
  const problem = problems.length > 0 ? problems.join(' ') : undefined
  return { ...(attachments.length > 0 && { attachments: all }), problem }
}
