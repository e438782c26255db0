import { expect, it } from 'vitest'
import { withLock } from './lock.ts'

const breath = () => new Promise<void>((resolve) => setImmediate(resolve))

it('[R-30] deeds of one name are done one at a time, in the order they came', async () => {
  const log: string[] = []
  const deed = (name: string) => async () => {
    log.push(`${name} begins`)
    await breath()
    log.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => withLock('same', deed(name))))).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('[R-32] a deed that fails lets the next one go on', async () => {
  const failing = withLock('same', () => Promise.reject(new Error('no')))
  const next = withLock('same', () => Promise.resolve('yes'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await withLock('same', () => Promise.resolve('later'))).toBe('later')
})

it('[R-30] deeds of different names do not wait for each other', async () => {
  let go = () => {}
  const slow = withLock('one', () => new Promise<void>((resolve) => (go = resolve)))
  expect(await withLock('other', () => Promise.resolve('done'))).toBe('done')
  go()
  await slow
})
