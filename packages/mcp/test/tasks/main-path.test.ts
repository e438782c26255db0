import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { startTaskServer, type TaskServer } from '@switchboard/testkit/task-server'
import { afterAll, beforeAll } from 'vitest'
import { describeSessionTasks, describeStatelessTasks } from './task-promises.ts'

let tasks: TaskServer
let real: RealServers

beforeAll(async () => {
  tasks = await startTaskServer()
  real = await startRealServers(['everything'])
})
afterAll(async () => {
  await tasks?.close()
  await real?.stop()
})

describeStatelessTasks(() => tasks.url)
describeSessionTasks(() => real.addresses.everything)
