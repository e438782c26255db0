// Renews apps/web/src/ui/schema-form/real-schemas.json: the input schemas of tools of real servers, without their words.
// Usage: node scripts/harvest-schemas.mjs [folder for the packages; what is installed there is used again]
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const target = fileURLToPath(new URL('../apps/web/src/ui/schema-form/real-schemas.json', import.meta.url))
const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'schemas-'))
const PATIENCE_MS = 60_000
const MOST_BYTES = 300_000
const MOST_TOOLS_OF_ONE = 60

// None of these is a key of anybody: the servers only want to see something in its place before they list their tools.
const NO_KEY = 'none'
/** @type {{ name: string, args?: string[], env?: Record<string, string> }[]} */
const servers = [
  { name: '@modelcontextprotocol/server-everything', args: ['stdio'] },
  { name: '@modelcontextprotocol/server-filesystem', args: [tmpdir()] },
  { name: '@modelcontextprotocol/server-memory' },
  { name: '@modelcontextprotocol/server-sequential-thinking' },
  { name: '@modelcontextprotocol/server-github' },
  { name: '@modelcontextprotocol/server-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: NO_KEY } },
  { name: '@modelcontextprotocol/server-google-maps', env: { GOOGLE_MAPS_API_KEY: NO_KEY } },
  { name: '@modelcontextprotocol/server-slack', env: { SLACK_BOT_TOKEN: NO_KEY, SLACK_TEAM_ID: NO_KEY } },
  { name: '@modelcontextprotocol/server-budget-allocator', args: ['--stdio'] },
  { name: '@modelcontextprotocol/server-map', args: ['--stdio'] },
  { name: '@playwright/mcp' },
  { name: 'chrome-devtools-mcp' },
  { name: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: NO_KEY } },
  { name: '@upstash/context7-mcp' },
  { name: 'mcp-server-kubernetes' },
  { name: '@heroku/mcp-server', env: { HEROKU_API_KEY: NO_KEY } },
  { name: '@supabase/mcp-server-supabase', args: ['--access-token', NO_KEY] },
  { name: 'mongodb-mcp-server', env: { MDB_MCP_TELEMETRY: 'disabled' } },
  { name: '@sentry/mcp-server', args: ['--access-token', NO_KEY] },
  { name: '@circleci/mcp-server-circleci', env: { CIRCLECI_TOKEN: NO_KEY } },
  { name: '@mapbox/mcp-server', env: { MAPBOX_ACCESS_TOKEN: 'pk.eyJ1Ijoibm9uZSJ9.none' } },
  { name: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: NO_KEY } },
  { name: '@antv/mcp-server-chart' },
  { name: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: NO_KEY } },
]

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = `items additionalProperties additionalItems unevaluatedProperties propertyNames contains
  not if then else`.split(/\s+/)
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Keywords that are structure through and through. Words for people are on no list, and so stay behind. */
const PLAIN = `type required $ref $schema format pattern nullable uniqueItems contentEncoding
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
  minItems maxItems minProperties maxProperties`.split(/\s+/)

/**
 * @param {unknown} schema
 * @returns {unknown}
 */
function structureOf(schema) {
  if (typeof schema !== 'object' || schema === null) return schema
  /** @type {Record<string, unknown>} */
  const bare = {}
  for (const [key, value] of Object.entries(schema)) {
    if (LISTS.includes(key) && Array.isArray(value)) bare[key] = value.map(structureOf)
    else if (ONE.includes(key)) bare[key] = structureOf(value)
    else if (NAMED.includes(key) && typeof value === 'object' && value)
      bare[key] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, structureOf(part)]))
    else if (PLAIN.includes(key)) bare[key] = value
    else if (key === 'enum' && Array.isArray(value))
      bare[key] = value.map((one, index) => wordOr(one, `value-${index}`))
    else if (key === 'const') bare[key] = wordOr(value, 'value')
    else if (key === 'default' && (isWord(value) || JSON.stringify(value).length < 20))
      bare[key] = wordOr(value, 'value')
  }
  return bare
}

/** @param {unknown} value */
const isWord = (value) => typeof value !== 'string' || /^\S{0,40}$/.test(value)
/**
 * @param {unknown} value
 * @param {string} word
 */
const wordOr = (value, word) => (isWord(value) ? value : word)

/**
 * @param {string} name
 * @returns {Promise<string>}
 */
async function install(name) {
  const home = join(folder, name.replaceAll(/[@/]/g, '_'))
  if (existsSync(join(home, 'node_modules'))) return home
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{}')
  return new Promise((resolve, reject) => {
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', name]
    spawn('npm', options, { cwd: home, stdio: 'ignore' }).once('close', (code) =>
      code === 0 ? resolve(home) : reject(new Error(`npm install ended with ${code}`)),
    )
  })
}

/**
 * All tools that a program lists on its standard output.
 * @param {typeof servers[number]} server
 */
async function listTools({ name, args = [], env = {} }) {
  const home = await install(name)
  const { bin, version } = JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8'))
  const program = join(home, 'node_modules', name, typeof bin === 'string' ? bin : Object.values(bin)[0])
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  /** @param {object} message */
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  child.stdin.on('error', () => {})
  /** @type {{ name: string, inputSchema: unknown }[]} */
  const tools = []
  try {
    say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'harvest', version: '1' } },
    })
    for await (const line of createInterface({ input: child.stdout })) {
      const message = parse(line)
      if (message?.id === 0) {
        say({ method: 'notifications/initialized' })
        say({ id: 1, method: 'tools/list', params: {} })
      } else if (typeof message?.id === 'number' && message.id > 0 && !message.method) {
        if (message.error) throw new Error(message.error.message)
        tools.push(...message.result.tools)
        if (!message.result.nextCursor) return { version, tools }
        say({ id: message.id + 1, method: 'tools/list', params: { cursor: message.result.nextCursor } })
      }
    }
    throw new Error('it ended without a list')
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    // Some programs greet the reader first.
    return undefined
  }
}

const harvest = []
for (const server of servers) {
  try {
    const { version, tools } = await listTools(server)
    const some = tools.slice(0, MOST_TOOLS_OF_ONE)
    harvest.push({
      server: `${server.name}@${version}`,
      tools: some.map(({ name, inputSchema }) => ({ name, schema: structureOf(inputSchema) })),
    })
    console.log(`${server.name}@${version}: ${some.length} of ${tools.length} tools`)
  } catch (error) {
    console.log(`${server.name}: left out, ${error instanceof Error ? error.message : error}`)
  }
}
const text = `[\n${harvest.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`
const count = harvest.reduce((sum, { tools }) => sum + tools.length, 0)
console.log(`${count} schemas, ${text.length} bytes`)
if (text.length > MOST_BYTES)
  throw new Error(`more than the ${MOST_BYTES} bytes that the file may have: leave a server out`)
writeFileSync(target, text)
