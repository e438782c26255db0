import { expect, it } from 'vitest'
import { isWithin, metadataPlaces } from './discover.ts'

const A = 'https://a.example'
const W = `${A}/.well-known`

it.each([
  [A, [`${W}/oauth-authorization-server`, `${W}/openid-configuration`]],
  [`${A}/`, [`${W}/oauth-authorization-server`, `${W}/openid-configuration`]],
  [
    `${A}/t/1`,
    [
      `${W}/oauth-authorization-server/t/1`,
      `${W}/openid-configuration/t/1`,
      `${A}/t/1/.well-known/openid-configuration`,
    ],
  ],
  [
    `${A}/t/`,
    [`${W}/oauth-authorization-server/t`, `${W}/openid-configuration/t`, `${A}/t/.well-known/openid-configuration`],
  ],
])('[A9] the metadata of %s is looked for in this order', (issuer, places) => {
  expect(metadataPlaces(issuer)).toEqual(places)
})

it.each([
  [`${A}/mcp`, `${A}/mcp`, true],
  [`${A}/mcp`, A, true],
  [`${A}/mcp`, `${A}/`, true],
  [`${A}/mcp/x`, `${A}/mcp`, true],
  [`${A}/mcp?x`, `${A}/mcp?x`, true],
  [`${A}/mcp2`, `${A}/mcp`, false],
  [`${A}/mcp`, `${A}/mcp/x`, false],
  [`${A}.evil/mcp`, A, false],
  [`${A}:8443/mcp`, A, false],
  [`${A}/mcp`, `http://a.example/mcp`, false],
  [`${A}/mcp`, `https://user@a.example/`, false],
  [`${A}/mcp`, `${A}/#`, true],
  [`${A}/mcp`, `${A}/?x`, false],
  [`${A}/mcp`, 'mcp', false],
  [`${A}/mcp`, '', false],
])('[A1.5] %s is within %s: %j', (server, resource, within) => {
  expect(isWithin(new URL(server), resource)).toBe(within)
})
