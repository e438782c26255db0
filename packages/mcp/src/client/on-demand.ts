// One chunk for everything that listing and calling do not need.
export { judgeDiscoveryFailure } from '../wire/judge-discovery-failure.ts'
export { encodeParamHeaders, paramHeaders } from '../wire/param-headers.ts'
export { answerRequest } from './answer-input.ts'
export { prepareNext } from './prepare-next.ts'
export { setLogLevel } from './set-log-level.ts'
export { setRoots } from './set-roots.ts'
export { onListChanged, openStream, resubscribe, subscribe } from './subscribe.ts'
export { summarize } from './summarize.ts'
