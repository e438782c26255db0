import { createDemoEndpoint } from '@switchboard/demo-server/demo-endpoint'
import { expect, test } from 'vitest'
import { hasDemo } from './has-demo.ts'

const answering = (body: BodyInit | null, init: ResponseInit) => async () => new Response(body, init)
const html = { headers: { 'content-type': 'text/html' } }

test('finds the demo server that the companion has', async () => {
  const demo = createDemoEndpoint()
  expect(await hasDemo('http://localhost:1', (url, init) => demo.fetch(new Request(url, init)))).toBe(true)
  await demo.close()
})

test.each([
  ['nothing there', answering('Not found', { ...html, status: 404 })],
  ['a web page for every address', answering('<!doctype html>', html)],
  ['no POST', answering(null, { status: 405 })],
  ['JSON of its own', answering('{"message":"Not Found"}', { headers: { 'content-type': 'application/json' } })],
])('a static host with %s has none', async (_name, fetch) => {
  expect(await hasDemo('http://localhost:1', fetch)).toBe(false)
})

test('without any answer nobody can tell', async () => {
  expect(await hasDemo('http://localhost:1', () => Promise.reject(new TypeError('offline')))).toBe(true)
})
