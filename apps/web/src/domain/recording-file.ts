import type { Recording } from './recording.ts'

/** Messages with servers as one file for a report: a line of JSON for each, oldest first. */
export function writeRecordings(recordings: readonly Recording[], now: number): { name: string; text: string } {
  const at = new Date(now).toISOString()
  const head = {
    format: 'switchboard-messages',
    version: 1,
    savedAt: at,
    note: 'Without headers, known secrets and answers to questions; ‹…› stands for the id of a task, a session or a state. Arguments and results of tools are in it: look through it before you give it away.',
  }
  const lines = recordings.map(({ at: time, direction, serverName, method, size, text }) => ({
    at: new Date(time).toISOString(),
    direction,
    server: serverName,
    method,
    size,
    text,
  }))
  return {
    name: `messages-${at.slice(0, 19).replaceAll(':', '')}.jsonl`,
    text: `${[head, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`,
  }
}
