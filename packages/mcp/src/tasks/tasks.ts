// One chunk for tasks.
export { callTool } from './call-as-task.ts'
export { resumeTask } from './resume-task.ts'
export { startTask } from './start-task.ts'
