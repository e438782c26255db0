// One chunk for everything that a plain answer does not need.
export { askOtherwise } from './ask-otherwise.ts'
export { judgeRefusal, sendAgain } from './judge-refusal.ts'
export { listen } from './listen-stream.ts'
export { openBody } from './open-body.ts'
export { readLongText } from './read-long-text.ts'
export { withoutAnswer } from './resume-stream.ts'
export { sendWithCare } from './send-with-care.ts'
export { tellAgain } from './tell-again.ts'
