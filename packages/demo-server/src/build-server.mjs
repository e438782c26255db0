import { McpServer } from '@modelcontextprotocol/server'
import { registerPrompts } from './prompts.mjs'
import { registerResources } from './resources.mjs'
import { TASKS } from './tasks.mjs'
import { registerBakeBread } from './tools/bake-bread.mjs'
import { registerBookTable } from './tools/book-table.mjs'
import { registerConfirmByLink } from './tools/confirm-by-link.mjs'
import { registerDrawChart } from './tools/draw-chart.mjs'
import { registerFailOnPurpose } from './tools/fail-on-purpose.mjs'
import { registerForecast } from './tools/forecast.mjs'
import { registerMakeBackup } from './tools/make-backup.mjs'
import { registerNotes } from './tools/notes.mjs'
import { registerWorldClock } from './tools/world-clock.mjs'

/**
 * A server of the demo's world: for one session, or for one request that needs none.
 * @param {import('./world.mjs').World} world
 * @param {Set<string>} [watched] the resources that this session subscribed to
 */
export function buildServer(world, watched) {
  const server = new McpServer(
    { name: 'switchboard-demo', version: '0.1.0', title: 'Switchboard demo' },
    {
      instructions: 'A server to try things on. Nothing here is real, and nothing outlives the server.',
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
        logging: {},
        // Tasks that outlive their call belong to no session.
        ...(watched ? {} : { extensions: { [TASKS]: {} } }),
      },
      cacheHints: {
        'tools/list': { ttlMs: 60_000, cacheScope: 'public' },
        'prompts/list': { ttlMs: 60_000, cacheScope: 'public' },
      },
    },
  )
  registerWorldClock(server)
  registerForecast(server)
  registerDrawChart(server)
  registerMakeBackup(server)
  registerBakeBread(server, world)
  registerBookTable(server)
  registerConfirmByLink(server, world)
  registerNotes(server, world)
  registerFailOnPurpose(server)
  registerResources(server, world, watched ?? new Set())
  registerPrompts(server, world)
  if (!watched) world.tasks.register(server)
  return server
}
