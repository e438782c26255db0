import type { Gpt } from './gpt.ts'

/** What is changed of a GPT; of its settings and its tools too no more than that. A list is changed as a whole. */
export type GptEdit = Partial<Omit<Gpt, 'id' | 'createdAt' | 'updatedAt' | 'settings' | 'tools'>> & {
  settings?: Partial<Gpt['settings']>
  tools?: Partial<Gpt['tools']>
}

/** A GPT, or an earlier edit, with this one. What it does not name stays: a page that was opened earlier does not give it back. */
export function editGpt<Edited extends GptEdit>(before: Edited, { settings, tools, ...rest }: GptEdit): Edited {
  return {
    ...before,
    ...rest,
    ...(settings && { settings: { ...before.settings, ...settings } }),
    ...(tools && { tools: { ...before.tools, ...tools } }),
  }
}
