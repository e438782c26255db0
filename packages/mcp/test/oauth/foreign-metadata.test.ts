import { auth, type Question } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, startListener, world } from './scenario.ts'

const PRM = '/.well-known/oauth-protected-resource/mcp'

/** A server whose challenge points to protected resource metadata on another origin. */
async function foreignMetadata() {
  const place = await world()
  const elsewhere = await startListener()
  elsewhere.faults.set(PRM, () => ({ body: { resource: place.mcp.url, authorization_servers: [place.as.issuer] } }))
  place.protection.challenge = () => `Bearer resource_metadata="${elsewhere.origin}${PRM}"`
  place.protection.metadataPaths = []
  return { ...place, elsewhere, metadataUrl: `${elsewhere.origin}${PRM}` }
}

describe('protected resource metadata on another origin', () => {
  it('[O21] is refused by default, before any request to that origin or to an authorization server', async () => {
    const place = await foreignMetadata()
    const provider = person(place)
    const { mcp, elsewhere } = place
    const error = await refusalOf(connect(place, provider), 'foreign-metadata')
    expect(error.message).toContain(mcp.origin)
    expect(error.message).toContain(elsewhere.origin)
    await refusalOf(auth(provider, { serverUrl: mcp.url, resourceMetadataUrl: place.metadataUrl }), 'foreign-metadata')
    expect(elsewhere.requests).toEqual([])
    expect(place.as.requests).toEqual([])
    expect(provider.opened).toEqual([])
  })

  it('[O21] is refused on another port of the same host', async () => {
    const place = await foreignMetadata()
    expect(new URL(place.metadataUrl).hostname).toBe(new URL(place.mcp.url).hostname)
    await refusalOf(connect(place, person(place)), 'foreign-metadata')
  })

  it('[O21] is used where resourceMetadataOrigins lists the origin', async () => {
    const place = await foreignMetadata()
    const provider = person(place, { resourceMetadataOrigins: [place.elsewhere.origin] })
    const client = await connect(place, provider)
    await client.listTools()
    expect(provider.opened).toHaveLength(1)
    const other = person(place, { resourceMetadataOrigins: ['https://docs.example'] })
    await refusalOf(connect(place, other), 'foreign-metadata')
  })

  it('[O21] is used after confirm, which is asked once and knows both origins', async () => {
    const place = await foreignMetadata()
    const questions: Question[] = []
    const provider = person(place, { confirm: (question) => questions.push(question) > 0 })
    const client = await connect(place, provider)
    place.as.expireTokens()
    await client.listTools()
    const { elsewhere, mcp } = place
    expect(questions).toEqual([{ kind: 'foreign-metadata', server: mcp.origin, metadata: elsewhere.origin }])
    expect(provider.opened).toHaveLength(1)
  })

  it('[O21] is asked about again when the server names yet another origin', async () => {
    const place = await foreignMetadata()
    const third = await startListener()
    const questions: Question[] = []
    const provider = person(place, { confirm: (question) => questions.push(question) === 1 })
    const client = await connect(place, provider)
    place.as.expireTokens()
    place.protection.challenge = () => `Bearer resource_metadata="${third.origin}${PRM}"`
    await refusalOf(client.listTools(), 'foreign-metadata')
    expect(questions.map((question) => question.kind)).toEqual(['foreign-metadata', 'foreign-metadata'])
    expect(third.requests).toEqual([])
  })
})
