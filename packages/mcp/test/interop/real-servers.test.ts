import { createMCPClient } from '@switchboard/mcp'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeRealServers } from './promises.ts'

describe('from Node', () => {
  let running: RealServers
  beforeAll(async () => {
    running = await startRealServers()
  })
  afterAll(() => running.stop())

  describeRealServers({ servers: () => running.addresses, createClient: createMCPClient })
})
