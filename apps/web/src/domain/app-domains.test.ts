import { expect, test } from 'vitest'
import { allDomains, judgeDomains } from './app-domains.ts'

test('[A6.2] what a screen asks for is a list of names of the web, and all else is told and not granted', () => {
  const { wishes, refused } = judgeDomains({
    connectDomains: [
      'https://api.example.com',
      'api2.example.com',
      'wss://*.live.example.com:8443',
      5,
      '*',
      'https://*',
    ],
    resourceDomains: [
      'https://cdn.example.com/',
      "'unsafe-eval'",
      'https://a.example; script-src *',
      'http://plain.example.com',
    ],
    frameDomains: ['https://localhost', 'https://127.0.0.1', 'https://nas.local', 'data:'],
  })
  expect(wishes).toEqual({
    connect: ['https://api.example.com', 'https://api2.example.com', 'wss://*.live.example.com:8443'],
    resources: ['https://cdn.example.com'],
    frames: [],
  })
  expect(refused).toEqual([
    '*',
    'https://*',
    "'unsafe-eval'",
    'https://a.example; script-src *',
    'http://plain.example.com',
    'https://localhost',
    'https://127.0.0.1',
    'https://nas.local',
    'data:',
  ])
})

test('nonsense is nothing, and a thousand names are twenty', () => {
  for (const policy of [undefined, null, 5, 'x', [], { connectDomains: 'https://a.example' }])
    expect(allDomains(judgeDomains(policy).wishes)).toEqual([])
  const many = Array.from({ length: 1_000 }, (_, at) => `https://h${at}.example.com`)
  expect(judgeDomains({ connectDomains: many }).wishes.connect).toHaveLength(20)
})
