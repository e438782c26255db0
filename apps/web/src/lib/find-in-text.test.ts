import { expect, test } from 'vitest'
import { countIn, findInText, foldCase, wordsIn } from './find-in-text.ts'

const FILLER = 'Nothing of interest stands in this line.\n'.repeat(1_000)
const all = { from: 0, most: 10 }

test('a needle is found with its place and what stands around it, whatever the case', () => {
  const text = `${FILLER}The NEEDLE is here.\n${FILLER}`
  const { total, matches, next } = findInText(text, 'the needle', all)
  expect(total).toBe(1)
  expect(next).toBeUndefined()
  expect(matches[0]?.at).toBe(text.indexOf('The NEEDLE'))
  expect(matches[0]?.text).toContain('The NEEDLE is here.')
  expect(matches[0]?.text.length).toBeLessThan(400)
})

test('words that do not stand as they were said are found where they stand near each other', () => {
  const text = `alpha ${FILLER} beta then,\nquite near, alpha ${FILLER} beta`
  const { total, matches } = findInText(text, 'alpha beta', all)
  expect(total).toBe(1)
  expect(text.slice(matches[0]?.at)).toMatch(/^beta then/)
})

test('signs that mean something in patterns mean nothing here', () => {
  expect(findInText('abc', '.*', all).total).toBe(0)
  expect(findInText('a (b+)+$ c', '(b+)+$', all).total).toBe(1)
  expect(findInText('a^b', '^', all).matches[0]?.at).toBe(1)
})

test('of many only the first are listed, all are counted, and it is said where to search on', () => {
  const text = `needle ${'x '.repeat(400)}`.repeat(25)
  const first = findInText(text, 'needle', all)
  expect(first.total).toBe(25)
  expect(first.matches).toHaveLength(10)
  const rest = findInText(text, 'needle', { from: first.next ?? 0, most: 10 })
  expect(rest.total).toBe(15)
  expect(rest.matches[0]?.at).toBe(first.next)
  expect(rest.matches[0]?.at).toBeGreaterThan(first.matches.at(-1)?.at ?? 0)
})

test('those that stand in the surroundings of another are counted, and shown once', () => {
  const { total, matches } = findInText('tick tick tick tick', 'tick', all)
  expect(total).toBe(4)
  expect(matches).toEqual([{ at: 0, text: 'tick tick tick tick' }])
})

test('[places] no letter of any script changes its place by being made small', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code)
    if (foldCase(letter).length !== letter.length) expect.fail(`U+${code.toString(16)} changes its length`)
  }
  const text = `${'İ'.repeat(50)} needle`
  expect(findInText(text, 'NEEDLE', all).matches[0]?.at).toBe(51)
})

test('surroundings are not cut inside of a character', () => {
  for (const shift of ['', 'x']) {
    const [match] = findInText(`${shift}${'😀'.repeat(300)}needle${'😀'.repeat(300)}`, 'needle', all).matches
    expect(match?.text).toMatch(/^(😀)+needle(😀)+$/u)
  }
})

test('five million letters that are nearly what is looked for are searched once, not once for each letter', () => {
  const text = 'a'.repeat(5_000_000)
  expect(findInText(text, `${'a'.repeat(199)}b`, all).total).toBe(0)
  expect(findInText(text, 'a'.repeat(200), all).total).toBe(25_000)
  expect(findInText(`${'a b '.repeat(500_000)}`, 'a c b d', all).total).toBe(0)
})

test('words are counted, each for itself', () => {
  expect(wordsIn(' One two  ONE ')).toEqual(['one', 'two'])
  expect(countIn('One, one and stone', 'one')).toBe(3)
})
