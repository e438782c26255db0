import { createMCPClient } from '@switchboard/mcp'
import type {} from '@switchboard/testkit/browser-setup'
import { describe, expect, inject, it } from 'vitest'
import { describeRealServers } from '../interop/promises.ts'

describe('from a page in Chromium', () => {
  it('[I-C1] the servers are of another origin than the page', () => {
    const { folder: _folder, ...urls } = inject('realServers')
    const foreign = Object.values(urls).filter((url) => new URL(url).origin !== location.origin)
    expect(foreign).toHaveLength(6)
  })

  describeRealServers({ servers: () => inject('realServers'), createClient: createMCPClient })
})
