/**
 * How long a search in 10,000 chats takes in Chromium: `npm run bench:search [-- --chats 10000]`. Fails over 100 ms (median of
 * seven searches). Every chat has 4 messages and every fifth a tool result; the words are as frequent as those of a language.
 */
import { parseArgs } from 'node:util'
import { inAppPage } from './src/app-page.js'

const { values } = parseArgs({ options: { chats: { type: 'string', default: '10000' } } })
const LIMIT_MS = 100

const { stored, build, rows } = await inAppPage('apps/web/bench/search.ts', (page) =>
  page.evaluate((chats) => globalThis.benchSearch(chats), Number(values.chats)),
)
console.log(`${values.chats} chats stored in ${stored} s, indexed in ${build} s\n`)
console.log('| search | found | ms, median of 7 |\n|---|---:|---:|')
for (const { what, found, ms } of rows) console.log(`| ${what} | ${found} | ${ms} |`)
const slow = rows.filter(({ ms }) => ms > LIMIT_MS)
console.log(
  slow.length > 0
    ? `\nOver ${LIMIT_MS} ms: ${slow.map(({ what }) => what).join(', ')}`
    : `\nAll within ${LIMIT_MS} ms.`,
)
process.exitCode = slow.length > 0 ? 1 : 0
