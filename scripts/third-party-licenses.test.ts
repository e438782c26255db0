import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { licensesOf, licenseText } from '../apps/web/third-party-licenses.ts'

function packageNamed(name: string, files: Record<string, string>, license = 'MIT') {
  const folder = mkdtempSync(join(tmpdir(), 'licenses-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const home = join(folder, 'node_modules', name)
  mkdirSync(join(home, 'dist'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }))
  // Inside many packages another one says which modules are which.
  writeFileSync(join(home, 'dist', 'package.json'), '{"type":"module"}')
  for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), text)
  return join(home, 'dist', 'index.js')
}

test('each bundled package is listed once, with its licence and notices', () => {
  const one = packageNamed('one', { 'LICENSE.md': 'Permission is granted', NOTICE: 'By One' })
  const two = packageNamed('@scope/two', { 'license.txt': 'As is' })
  const found = licensesOf([`${one}?providers`, one, two, '/src/main.tsx', '\0virtual'])
  expect(found.map(({ name }) => name)).toEqual(['@scope/two', 'one'])
  const text = licenseText(found)
  for (const part of ['one 1.2.3 (MIT)', 'Permission is granted', 'By One', 'As is']) expect(text).toContain(part)
})

test('a package that only names its licence gets the terms of it', () => {
  const text = licenseText(licensesOf([packageNamed('bare', {})]))
  expect(text).toContain('bare 1.2.3 (MIT)')
  expect(text).toContain('Permission is hereby granted, free of charge')
})

test('a bundled package without a licence text fails the build by name', () => {
  expect(() => licensesOf([packageNamed('secretive', {}, 'SEE LICENSE IN ELSEWHERE')])).toThrow('secretive')
})
