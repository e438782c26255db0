import type { CallToolResult } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import { scripted, tool } from './scripted-client.ts'
import { aiVersions, type Version } from './versions.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAVE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEA'
const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const audio = { type: 'audio', data: WAVE, mimeType: 'audio/wav' }

/** The part that each version of the AI SDK has for media. */
function media(version: Version['version'], data: string, mediaType: string): object {
  if (version === 5) return { type: 'media', data, mediaType }
  if (version === 6) return { type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', data, mediaType }
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

describe.each(aiVersions)('what a model reads through the AI SDK $version', ({ version, run }) => {
  const read = async (result: object) => {
    const { client } = await scripted([tool('any')], () => result)
    const { read: got, warnings, output } = await run(await client.tools(), 'any', { a: 'x' })
    expect(warnings).toEqual([])
    expect(output).toMatchObject(JSON.parse(JSON.stringify(result)) as object)
    return got
  }

  it('[D10] text is text, joined', async () => {
    expect(await read({ content: [text('one'), text(''), text('two')] })).toEqual({ type: 'text', value: 'one\ntwo' })
  })

  it('[D10] what has a toString of its own making is words, and ends no run', async () => {
    const trap = { toString: 1 }
    const blocks = [
      { type: 'resource', resource: { uri: trap, text: 'x' } },
      { type: 'resource', resource: { uri: 'a:b', mimeType: trap, blob: 'AAAA' } },
      { type: 'resource_link', uri: trap },
      { type: 'text', text: trap },
    ]
    for (const block of blocks) expect(JSON.stringify(await read({ content: [block] }))).toContain('toString')
  })

  it('[D10] text goes before structured content, which is read where there is no text', async () => {
    const structuredContent = { sum: 3 }
    expect(await read({ content: [text('three')], structuredContent })).toEqual({ type: 'text', value: 'three' })
    expect(await read({ content: [], structuredContent })).toEqual({ type: 'json', value: { sum: 3 } })
    expect(await read({ structuredContent: 0 })).toEqual({ type: 'text', value: '0' })
    expect(await read({ content: [image], structuredContent })).toEqual({
      type: 'content',
      value: [text('{"sum":3}'), media(version, PIXEL, 'image/png')],
    })
  })

  it('[D10] a picture and sound are media, in the part of this very version', async () => {
    expect(await read({ content: [text('look'), image, text('listen'), audio] })).toEqual({
      type: 'content',
      value: [
        text('look'),
        media(version, PIXEL, 'image/png'),
        text('listen'),
        text('Audio, audio/wav:'),
        media(version, WAVE, 'audio/wav'),
      ],
    })
    expect(await read({ content: [image] })).toEqual({
      type: 'content',
      value: [media(version, PIXEL, 'image/png')],
    })
  })

  it('[D10] words come before the media that a server put first', async () => {
    const got = await read({ content: [image, text('that was it')] })
    expect(got?.value).toEqual([text('that was it'), media(version, PIXEL, 'image/png')])
  })

  it('[D10] resources and links are read as words, pictures among them as pictures', async () => {
    const got = await read({
      content: [
        { type: 'resource', resource: { uri: 'note://a', mimeType: 'text/plain', text: 'the note' } },
        { type: 'resource', resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'AAAA' } },
        { type: 'resource_link', uri: 'note://b', name: 'b', title: 'The second', mimeType: 'text/plain' },
        { type: 'resource', resource: { uri: 'pic://c', mimeType: 'image/png', blob: PIXEL } },
        { type: 'hologram', depth: 3 },
      ],
    })
    expect(got).toEqual({
      type: 'content',
      value: [
        text('Resource note://a:\nthe note'),
        text('Resource file:///a.zip: application/zip, 3 bytes.'),
        text('Link note://b (The second, text/plain)'),
        text('Image pic://c, image/png:'),
        media(version, PIXEL, 'image/png'),
        text('{"type":"hologram","depth":3}'),
      ],
    })
  })

  it('[D11] a failed tool is an error to the model, and a result to the application', async () => {
    expect(await read({ content: [text('out of'), text('paper')], isError: true })).toEqual({
      type: 'error-text',
      value: 'out of\npaper',
    })
    expect(await read({ content: [], structuredContent: { code: 7 }, isError: true })).toEqual({
      type: 'error-json',
      value: { code: 7 },
    })
    expect(await read({ content: [image], isError: true })).toEqual({
      type: 'content',
      value: [text('The tool failed.'), media(version, PIXEL, 'image/png')],
    })
    expect((await read({ content: [], isError: true }))?.type).toBe('error-text')
  })

  it('[D10] nothing is said to be nothing: providers refuse empty text', async () => {
    expect(await read({ content: [] })).toEqual({ type: 'text', value: 'The tool answered without content.' })
    expect(await read({ content: [text('')] })).toEqual({ type: 'text', value: 'The tool answered without content.' })
  })

  it.each<[string, object]>([
    ['data that is no base64', { ...image, data: 'not base64!' }],
    ['no data', { ...image, data: '' }],
    ['data that is no text', { ...image, data: 7 }],
    ['a type that is none', { ...image, mimeType: 'image/png"><script>' }],
    ['the type of another kind', { ...image, mimeType: 'text/html' }],
    ['no type', { ...image, mimeType: undefined }],
    ['a type that providers refuse', { ...image, mimeType: 'image/svg+xml' }],
    ['another one', { ...image, mimeType: 'image/tiff' }],
  ])('[D10] a picture with %s is words, as one would spoil the whole conversation', async (_what, block) => {
    const got = await read({ content: [block, text('and more')] })
    expect(got).toEqual({ type: 'text', value: expect.stringMatching(/^Image.*: not readable\.\nand more$/) as string })
  })

  it('[D10] base64 with line ends is base64', async () => {
    const broken = PIXEL.replace(/.{40}/g, '$&\r\n')
    expect((await read({ content: [{ ...image, data: broken }] }))?.value).toEqual([media(version, PIXEL, 'image/png')])
  })
})

describe('toModelOutput', () => {
  const toModelOutput = async (...given: unknown[]) => {
    const { client } = await scripted([tool('any')])
    return (await client.tools())['any']?.toModelOutput?.(...given) as unknown
  }
  const pictured = { content: [image] } as CallToolResult

  it('[D10] where no call showed the version, the parts are those that 6 and 7 both take', async () => {
    expect(await toModelOutput({ toolCallId: 'c', input: {}, output: pictured })).toMatchObject({
      value: [{ type: 'image-data', data: PIXEL, mediaType: 'image/png' }],
    })
  })

  it('[D10] the argument of version 5 is the output alone', async () => {
    expect(await toModelOutput(pictured)).toMatchObject({ value: [{ type: 'media' }] })
    expect(await toModelOutput({ toolCallId: 'c', content: [text('x')] })).toEqual({ type: 'text', value: 'x' })
  })

  it('[D10] what is no result of MCP is told as it is', async () => {
    expect(await toModelOutput('words')).toEqual({ type: 'text', value: 'words' })
    expect(await toModelOutput(undefined)).toEqual({ type: 'json', value: null })
    expect(await toModelOutput({ a: 1 })).toEqual({ type: 'json', value: { a: 1 } })
    expect(await toModelOutput({ toolResult: 'old', content: [] })).toEqual({ type: 'json', value: 'old' })
    expect(await toModelOutput({ content: [null, 'bare', 7] })).toEqual({ type: 'text', value: 'null\nbare\n7' })
  })
})

it.each([
  ['IMAGE/PNG; charset=binary', 'image/png'],
  ['image/jpg', 'image/jpeg'],
  ['image/webp', 'image/webp'],
  ['image/gif', 'image/gif'],
])('[D10] %s is told as %s, as providers compare letters', async (mimeType, mediaType) => {
  const { client } = await scripted([tool('any')])
  const { any } = await client.tools()
  expect(any?.toModelOutput?.({ content: [{ ...image, mimeType }] })).toEqual({
    type: 'content',
    value: [{ type: 'media', data: PIXEL, mediaType }],
  })
})

it('[X2] a call is summed up, whatever its text is', async () => {
  const { client } = await scripted([tool('any')], () => ({ content: [{ type: 'text', text: { toString: 1 } }] }))
  expect((await client.call('any', {})).text).toBe('{"toString":1}')
})

it('[D3] a tool whose name is no name is left out alone', async () => {
  const { client, warnings } = await scripted([])
  const definitions = { tools: [tool('good'), { ...tool('bad'), name: { toString: 1 } }] } as never
  expect(Object.keys(client.toolsFromDefinitions(definitions))).toEqual(['good'])
  expect(warnings).toHaveLength(1)
})

it('[D23] a tool in the hands of an agent asks for progress, and tells of it', async () => {
  const seen: unknown[] = []
  const { client, transport } = await scripted([tool('slow')], async (params) => {
    const { progressToken } = params['_meta'] as { progressToken: number }
    transport.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: 1, total: 2 },
    })
    return { content: [] }
  })
  const { slow } = await client.tools({ onProgress: ({ progress }, call) => seen.push([progress, call]) })
  await slow!.execute({ a: 'x' }, { toolCallId: 'c1' })
  expect(seen).toEqual([[1, { toolName: 'slow', toolCallId: 'c1' }]])
})
