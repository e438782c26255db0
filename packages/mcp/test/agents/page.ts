import { type Assignment, runAgent } from './agent.ts'
import { ai7 } from './ai-7.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false, runAgent: (given: Assignment) => runAgent(ai7, given) })
