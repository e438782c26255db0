// One chunk for clients of servers that have events.
export { listEvents } from './list-events.ts'
export { refresh } from './refresh.ts'
export { subscribe } from './subscribe.ts'
export { unsubscribe } from './unsubscribe.ts'
