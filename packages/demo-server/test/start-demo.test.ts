import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demo, startDemo } from './demo.ts'

let demo: Demo
beforeAll(async () => {
  demo = await startDemo({ allowedOrigins: ['https://friend.example'] })
})
afterAll(() => demo.close())

/** The status of a request with headers that a browser would not let a page set. */
const statusOf = (headers: Record<string, string>, path = '/mcp') =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = request(new URL(path, demo.url), { method: 'GET', headers }, (answer) => {
      resolve(answer.statusCode)
      answer.resume()
    })
    asked.once('error', reject).end()
  })

test('only names of this machine are answered, and only pages that were allowed', async () => {
  const { host } = new URL(demo.url)
  expect(await statusOf({ host: 'evil.example' })).toBe(403)
  expect(await statusOf({ host: `${host}.evil.example` })).toBe(403)
  expect(await statusOf({ origin: 'https://evil.example' })).toBe(403)
  expect(await statusOf({ origin: 'null' })).toBe(403)
  expect(await statusOf({ origin: `http://${host}` }, '/nothing')).toBe(404)
  expect(await statusOf({ origin: 'https://friend.example' }, '/nothing')).toBe(404)
})

test('the address of the tool that asks for a visit is there', async () => {
  const answer = await fetch(new URL('/confirm.html', demo.url))
  expect(await answer.text()).toContain('You are here')
})
