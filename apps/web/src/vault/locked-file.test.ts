import { expect, test } from 'vitest'
import { lockFile, openLockedFile } from './locked-file.ts'
import { quickDerivation } from './quick-derivation.ts'

quickDerivation()

const PASSPHRASE = 'correct horse battery'
const text = JSON.stringify({ said: 'grüße 🙂 '.repeat(5_000) })
const failure = (code: string) => ({ failure: { code } })

test('what is sealed with a passphrase opens with it, and is smaller than it was', async () => {
  const file = await lockFile(text, PASSPHRASE)
  expect(await openLockedFile(file, PASSPHRASE)).toBe(text)
  expect(file.length).toBeLessThan(text.length / 10)
  expect(new TextDecoder().decode(file)).not.toContain('said')
})

test('the same text is another file each time', async () => {
  const [one, other] = await Promise.all([lockFile(text, PASSPHRASE), lockFile(text, PASSPHRASE)])
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false)
})

test('another passphrase opens nothing, and says so', async () => {
  const file = await lockFile(text, PASSPHRASE)
  await expect(openLockedFile(file, 'correct horse batterz')).rejects.toMatchObject(failure('wrong-passphrase'))
})

test('a passphrase of a few characters is not taken', async () => {
  await expect(lockFile(text, 'short')).rejects.toMatchObject(failure('bad-input'))
})

test('a file in which any byte was changed, or that was cut, does not open', async () => {
  const file = await lockFile('a few words', PASSPHRASE)
  const head = new TextDecoder().decode(file).split('\n', 2).join('\n').length + 1
  for (let at = 0; at < file.length; at += at < head ? 7 : 1) {
    const changed = file.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(openLockedFile(changed, PASSPHRASE), `byte ${at}`).rejects.toMatchObject({ name: 'Failed' })
  }
  for (const length of [0, 1, 20, head, head + 5, file.length - 1])
    await expect(openLockedFile(file.slice(0, length), PASSPHRASE)).rejects.toMatchObject({ name: 'Failed' })
})

test('[A8.1] a file that asks for few rounds of derivation does not get the passphrase', async () => {
  const file = await lockFile(text, PASSPHRASE)
  const [magic, head = '', ...rest] = new TextDecoder('latin1').decode(file).split('\n')
  const weak = { ...(JSON.parse(head) as object), iterations: 1_000 }
  const forged = Uint8Array.from([magic, JSON.stringify(weak), ...rest].join('\n'), (sign) => sign.charCodeAt(0))
  await expect(openLockedFile(forged, PASSPHRASE)).rejects.toMatchObject(failure('storage'))
})

test('any other file is refused as what it is', async () => {
  for (const other of ['', '{}', 'SWITCHBOARD-LOCKED-1\n{}\n', 'SWITCHBOARD-LOCKED-1\nnull\nx', 'PK\u0003\u0004'])
    await expect(openLockedFile(new TextEncoder().encode(other), PASSPHRASE)).rejects.toMatchObject(
      failure('bad-input'),
    )
})
