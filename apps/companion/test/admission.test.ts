import { startCompanion } from '@switchboard/companion'
import { expect, it, onTestFinished } from 'vitest'
import { folder, smallApp } from './scenario.ts'

async function opened() {
  let count = 0
  const config = `${await folder()}/servers.json`
  const companion = await startCompanion({ port: 0, app: await smallApp(), config, onOpened: () => count++ })
  onTestFinished(() => companion.close())
  return { companion, count: () => count }
}

const codeIn = (url: string): string => new URL(url).hash.slice('#code='.length)

async function change(origin: string, code: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const body = method === 'POST' ? { body: JSON.stringify({ code }) } : {}
  const response = await fetch(`${origin}/api/open`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...body,
  })
  const cookie = response.headers.get('set-cookie')
  return { status: response.status, text: await response.text(), cookie }
}

it('[A7.1] a code is changed for the token once, however many try it at the same time', async () => {
  const { companion, count } = await opened()
  const code = codeIn(companion.url)
  const answers = await Promise.all(Array.from({ length: 20 }, () => change(companion.origin, code)))
  const admitted = answers.filter(({ status }) => status === 200)
  expect(admitted.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
    { token: companion.token, proof: expect.any(String) as string },
  ])
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(19)
  expect(count()).toBe(1)
})

it.each<[string, unknown, Record<string, string>?, string?]>([
  ['no code', undefined],
  ['an empty code', ''],
  ['a wrong code', 'A'.repeat(43)],
  ['a list of codes', ['A'.repeat(43)]],
  ['the right one, from a page of another origin', 'right', { origin: 'http://evil.test' }],
  ['the right one, from another site', 'right', { 'sec-fetch-site': 'cross-site' }],
  ['the right one, as a form', 'right', { 'content-type': 'text/plain' }],
  ['the right one, by GET', 'right', {}, 'GET'],
])('[A7.1] %s opens nothing, and leaves the address good', async (_name, given, headers, method) => {
  const { companion, count } = await opened()
  const code = codeIn(companion.url)
  const refused = await change(companion.origin, given === 'right' ? code : given, headers, method)
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.text).not.toContain(companion.token)
  expect(count()).toBe(0)
  expect((await change(companion.origin, code)).status).toBe(200)
})

it('every reading gives another address, and twenty of them can wait', async () => {
  const { companion } = await opened()
  const codes = Array.from({ length: 21 }, () => codeIn(companion.url))
  expect(new Set(codes).size).toBe(21)
  expect((await change(companion.origin, codes[0])).status).toBe(410)
  expect((await change(companion.origin, codes[1])).status).toBe(200)
  expect((await change(companion.origin, codes[20])).status).toBe(200)
})

async function readmit(origin: string, proof: unknown, cookie?: string) {
  const response = await fetch(`${origin}/api/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
    body: JSON.stringify({ proof }),
  })
  return { status: response.status, text: await response.text() }
}

it('[A7.1] an admitted browser gets the token again only with both its cookie and its proof', async () => {
  const { companion } = await opened()
  const { text, cookie: set } = await change(companion.origin, codeIn(companion.url))
  const { proof } = JSON.parse(text) as { proof: string }
  expect(set).toMatch(/^switchboard-\d+=[\w-]{43}; Path=\/api\/open; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  expect(`${set} ${proof}`).not.toContain(companion.token)
  const cookie = set?.split(';', 1)[0] ?? ''
  expect(JSON.parse((await readmit(companion.origin, proof, `other=1; ${cookie}`)).text)).toEqual({
    token: companion.token,
  })
  const value = cookie.split('=')[1] ?? ''
  const name = cookie.split('=')[0] ?? ''
  for (const [wrongProof, wrongCookie] of [
    [proof, undefined],
    ['', cookie],
    [value, cookie],
    [proof, `${name}=${'A'.repeat(43)}`],
    [`${proof}A`, cookie],
    [proof.slice(1), cookie],
  ] as const) {
    const refused = await readmit(companion.origin, wrongProof, wrongCookie)
    expect(refused.status).toBe(410)
    expect(refused.text).not.toContain(companion.token)
  }
})

it('two openings in one browser keep one cookie, so both tabs can reload', async () => {
  const { companion } = await opened()
  const first = await change(companion.origin, codeIn(companion.url))
  const cookie = first.cookie?.split(';', 1)[0] ?? ''
  const second = await change(companion.origin, codeIn(companion.url), { cookie })
  expect(second.cookie?.split(';', 1)[0]).toBe(cookie)
  expect(second.text).toBe(first.text)
})

it('after a restart the halves of the last run open nothing', async () => {
  const { companion: last } = await opened()
  const { text, cookie } = await change(last.origin, codeIn(last.url))
  const { proof } = JSON.parse(text) as { proof: string }
  const { companion: next } = await opened()
  const renamed = cookie?.split(';', 1)[0]?.replace(/^[^=]+/, `switchboard-${new URL(next.origin).port}`)
  expect((await readmit(next.origin, proof, renamed)).status).toBe(410)
})
