import { expect, test } from 'vitest'
import { safeFileName } from './safe-file-name.ts'

test.each([
  ['file:///home/ana/report.pdf', 'report.pdf'],
  ['demo://resource/static/document/über uns.md', 'über_uns.md'],
  ['x://a/..%2F..%2F.ssh%2Fauthorized_keys', 'authorized_keys'],
  ['../../../etc/passwd', 'passwd'],
  ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
  ['x://a/%2e%2e', 'resource'],
  ['x://a/.bashrc', 'bashrc'],
  ['x://a/CON', '_CON'],
  ['x://a/lpt1.txt', '_lpt1.txt'],
  ['x://a/b?download=../../evil', 'b'],
  ['x://a/photo\u202Egnp.exe', 'photo_gnp.exe'],
  ['x://a/"><img src=x>', 'img_src_x'],
  ['x://a/%zz', 'zz'],
  ['', 'resource'],
  ['x:///', 'x'],
])('what lies at %s is saved as %s', (address, name) => {
  expect(safeFileName(address)).toBe(name)
})

test('a name without end ends, and keeps its kind', () => {
  const name = safeFileName(`x://a/${'n'.repeat(5_000)}.txt`)
  expect(name.length).toBeLessThanOrEqual(80)
  expect(name).toMatch(/\.txt$/)
})
