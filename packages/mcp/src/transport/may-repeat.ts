/** Requests that a server can take twice without harm: reads, and writes that lead to the same state again. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'completion/complete',
  'events/list',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/list',
])

/** Whether a request may be sent again when its answer is lost. A method that isn't listed may have run. */
export const mayRepeat = (method: string): boolean => REPEATABLE.has(method)
