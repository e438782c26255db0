import { expect, test } from 'vitest'
import { claimedApp } from './claimed-app.ts'

const claim = (ui: unknown) => claimedApp({ _meta: { ui } } as never)

test('a tool without a screen is for everybody', () => {
  expect(claimedApp({})).toEqual({ found: {}, isForModel: true })
})

test('the screen of a tool and who may call it are read, from the old place too', () => {
  expect(claim({ resourceUri: 'ui://a/b' })).toEqual({ found: { appUri: 'ui://a/b' }, isForModel: true })
  expect(claimedApp({ _meta: { 'ui/resourceUri': 'ui://old' } })).toEqual({
    found: { appUri: 'ui://old' },
    isForModel: true,
  })
  expect(claim({ visibility: ['app'] })).toEqual({ found: {}, isForModel: false })
  expect(claim({ visibility: ['model'] })).toEqual({ found: { appMayCall: false }, isForModel: true })
  expect(claim({ visibility: [] })).toEqual({ found: { appMayCall: false }, isForModel: false })
})

test('a screen that is none of its server makes the tool unusable', () => {
  for (const resourceUri of ['https://evil.example', 'javascript:1', 5])
    expect(claim({ resourceUri })).toMatchObject({
      found: {},
      isForModel: false,
      problem: expect.any(String) as string,
    })
})
