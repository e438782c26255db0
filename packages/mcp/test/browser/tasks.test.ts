import type {} from '@switchboard/testkit/browser-setup'
import { describe, inject } from 'vitest'
import { describeSessionTasks, describeStatelessTasks } from '../tasks/task-promises.ts'

describe('from a page in Chromium', () => {
  describeStatelessTasks(() => inject('taskServerUrl'))
  describeSessionTasks(() => inject('realServers').everything)
})
