import { expect, test } from 'vitest'
import { readFiles } from './read-files.ts'

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (one) => one.charCodeAt(0),
)
const one = async (content: BlobPart, name: string, type = '') => readFiles([new File([content], name, { type })])

test('a text is attached as what it says, whatever its name claims', async () => {
  const { attachments } = await one('a,b\n1,2\n', 'table.png', 'image/png')
  expect(attachments).toEqual([
    {
      type: 'attachment',
      serverId: '',
      serverName: '',
      uri: '',
      name: 'table.png',
      mimeType: 'text/plain',
      size: 8,
      text: 'a,b\n1,2\n',
    },
  ])
})

test('a picture is known by its bytes, whatever its name claims', async () => {
  const { attachments } = await one(PNG, 'notes.txt', 'text/plain')
  expect(attachments[0]).toMatchObject({ mimeType: 'image/png', size: PNG.length })
  expect(attachments[0]?.data).toBeDefined()
})

test.each([
  ['a WAV file', 'UklGRiQAAABXQVZFZm10IAA=', 'audio/wav'],
  ['an MP3 file with a tag', 'SUQzBAAAAAAAAAA=', 'audio/mpeg'],
  ['an MP3 file without a tag', '//uQZAAAAAA=', 'audio/mpeg'],
])('attaches %s as audio, recognized by its bytes', async (_, base64, mimeType) => {
  const { attachments } = await one(
    Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)),
    'file.bin',
  )
  expect(attachments[0]).toMatchObject({ mimeType, data: base64 })
})

test.each([
  ['a program', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0), 'neither text nor'],
  ['letters of no alphabet', Uint8Array.of(0xc3, 0x28), 'neither text nor'],
  ['nothing', '', 'empty'],
  ['6 MB', 'x'.repeat(6_000_000), '6.0 MB'],
])('%s is refused in words', async (_, content, words) => {
  const { attachments, problems } = await one(content, 'file.bin')
  expect(attachments).toEqual([])
  expect(problems[0]).toContain('file.bin')
  expect(problems[0]).toContain(words)
})

test('one that is refused keeps nobody else out', async () => {
  const { attachments, problems } = await readFiles([new File(['fine'], 'a.txt'), new File([''], 'b.txt')])
  expect(attachments.map(({ name }) => name)).toEqual(['a.txt'])
  expect(problems).toHaveLength(1)
})

test('an SVG goes along as the text it is, and never as a picture', async () => {
  const { attachments } = await one('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml')
  expect(attachments[0]).toMatchObject({ mimeType: 'text/plain' })
  expect(attachments[0]?.data).toBeUndefined()
})
