// One chunk for everything that listing and calling do not need.
export { encodeParamHeaders, paramHeaders } from '../wire/param-headers.ts'
export { answerQuestions, answerRequest } from './answer-input.ts'
export { listen, openStream, resubscribe, subscribe } from './subscribe.ts'
