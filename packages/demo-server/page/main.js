import { HttpTransport, MCPClient } from '/library/index.js'
import { createCatalog } from './catalog-view.js'
import { byId, element } from './element.js'
import { failureView } from './failure-view.js'
import { createLog } from './log-view.js'
import { notificationWords } from './notification-words.js'
import { promptPanel } from './prompt-panel.js'
import { askUser } from './question-view.js'
import { resourcePanel } from './resource-panel.js'
import { toolPanel } from './tool-panel.js'
import { visibleText } from './visible-text.js'

const form = byId('form', 'connect')
const state = byId('p', 'state')
const stateText = byId('span', 'state-text')
const questions = byId('div', 'questions')
const catalog = createCatalog()
const log = createLog()

/** @type {MCPClient | undefined} */
let current

/** @param {'idle' | 'connecting' | 'connected' | 'failed'} kind @param {...(Node | string)} words */
function say(kind, ...words) {
  state.dataset['state'] = kind
  stateText.replaceChildren(...words)
}

/** @param {string} name */
const valueOf = (name) => String(new FormData(form).get(name) ?? '')

/**
 * A client that tells the page what happens to it.
 * @param {string} url @param {string} token @param {boolean} sessionsOnly
 */
function openClient(url, token, sessionsOnly) {
  const transport = new HttpTransport({ url, ...(token !== '' && { headers: { authorization: `Bearer ${token}` } }) })
  const client = new MCPClient({
    transport,
    clientName: 'switchboard-page',
    protocolVersionDiscovery: !sessionsOnly,
    logLevel: 'info',
    onNotification: (notification) => {
      // How the stream is kept open is the library's business.
      if (notification.method === 'notifications/subscriptions/acknowledged') return
      const { kind, text } = notificationWords(notification)
      log.add(kind, text)
    },
    onElicitationRequest: (request, { signal }) => askUser(questions, nameOf(client), request, signal),
    onUncaughtError: (error) => log.add('problem', error instanceof Error ? error.message : String(error)),
  })
  transport.on('retry', ({ method, attempt, waitMs, reason }) =>
    log.add('sent again', `${method}, attempt ${attempt + 1} after ${Math.round(waitMs)} ms: ${reason}`),
  )
  transport.on('session', ({ sessionId, renewed }) => {
    log.add(renewed ? 'session renewed' : sessionId === undefined ? 'session ended' : 'session begun')
    if (current === client && state.dataset['state'] === 'connected') describe(client)
  })
  transport.on('dropped', ({ why, count }) => log.add('thrown away', `${why} (${count} so far)`))
  return client
}

async function connect() {
  const url = valueOf('url').trim()
  const former = current
  current = undefined
  questions.replaceChildren()
  log.reset()
  catalog.clear(element('p', { class: 'notice empty' }, `Connecting to ${url} …`))
  say('connecting', `Connecting to ${url} …`)
  await former?.close()
  /** @type {MCPClient | undefined} */
  let client
  try {
    client = current = openClient(url, valueOf('token').trim(), valueOf('era') === 'sessions')
    await client.connect()
  } catch (error) {
    if (current !== client) return
    say('failed', 'Not connected')
    return catalog.clear(failureView(error, () => void connect()))
  }
  // Another connection was asked for meanwhile.
  if (current !== client) return client.close()
  const connected = client
  describe(connected)
  for (const kind of /** @type {const} */ (['tools', 'resources', 'prompts'])) {
    if (client.capabilities[kind]?.listChanged) client.onListChanged(kind, () => void showLists(connected))
  }
  await showLists(client)
}

/** @param {MCPClient} client */
const nameOf = ({ serverInfo }) => visibleText(serverInfo.title ?? (serverInfo.name || 'The server'))

/** Who answers, and in which words. @param {MCPClient} client */
function describe(client) {
  const { serverInfo, instructions } = client
  const sessionId = client.getSessionId()
  const stateless = (client.getProtocolVersion() ?? '') >= '2026'
  const facts = [
    `${client.getProtocolVersion()}, ${stateless ? 'stateless' : 'sessions'}`,
    ...(sessionId === undefined ? [] : [`session ${visibleText(sessionId.slice(0, 8))}…`]),
  ]
  say(
    'connected',
    element('strong', {}, nameOf(client)),
    ` ${visibleText(serverInfo.version)}`,
    ...facts.map((fact) => element('span', { class: 'fact' }, fact)),
    ...(instructions === undefined ? [] : [element('span', { class: 'fact wide' }, visibleText(instructions))]),
  )
}

/** @param {MCPClient} client */
async function showLists(client) {
  const { tools, resources, prompts } = client.capabilities
  /**
   * One list that fails must not hide the others.
   * @template T
   * @param {string} heading @param {boolean} offered @param {() => Promise<T[]>} load
   * @param {(one: T) => import('./catalog-view.js').Item} toItem
   * @returns {Promise<import('./catalog-view.js').Group[]>}
   */
  const group = async (heading, offered, load, toItem) => {
    if (!offered) return []
    try {
      return [{ heading, items: (await load()).map(toItem) }]
    } catch (error) {
      return [{ heading, items: [], problem: failureView(error, () => void showLists(client)) }]
    }
  }
  const groups = await Promise.all([
    group(
      'Tools',
      tools !== undefined,
      async () => (await client.listTools()).tools,
      (tool) => ({
        key: `tool ${tool.name}`,
        title: tool.title ?? tool.annotations?.title ?? tool.name,
        name: tool.name,
        annotations: tool.annotations,
        open: () => toolPanel(client, tool),
      }),
    ),
    group(
      'Resources',
      resources !== undefined,
      async () => [
        ...(await client.listResources()).resources,
        ...(await client.listResourceTemplates().catch(() => ({ resourceTemplates: [] }))).resourceTemplates,
      ],
      (resource) => {
        const name = 'uri' in resource ? resource.uri : resource.uriTemplate
        return {
          key: `resource ${name}`,
          title: resource.title ?? resource.name,
          name,
          open: () => resourcePanel(client, resource),
        }
      },
    ),
    group(
      'Prompts',
      prompts !== undefined,
      async () => (await client.listPrompts()).prompts,
      (prompt) => ({
        key: `prompt ${prompt.name}`,
        title: prompt.title ?? prompt.name,
        name: prompt.name,
        open: () => promptPanel(client, prompt),
      }),
    ),
  ])
  if (current === client) catalog.show(groups.flat())
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void connect()
})
form.querySelector('select')?.addEventListener('change', () => void connect())
const address = form.querySelector('input')
if (address) address.value = new URL('/mcp', location.href).href
addEventListener('pagehide', () => void current?.close())
void connect()
