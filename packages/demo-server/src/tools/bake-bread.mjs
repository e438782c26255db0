import { setTimeout as wait } from 'node:timers/promises'
import { object, text } from '../schema.mjs'
import { capabilitiesOf, TASKS } from '../tasks.mjs'

const CRUST = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'How dark shall the crust be?',
    requestedSchema: {
      type: 'object',
      properties: { crust: { type: 'string', title: 'Crust', enum: ['pale', 'golden', 'dark'], default: 'golden' } },
      required: ['crust'],
    },
  },
}

/**
 * Long work: a task where the client knows tasks, with a question in the middle; else a call that takes its time.
 * @param {import('@modelcontextprotocol/server').McpServer} server
 * @param {import('../world.mjs').World} world
 */
export function registerBakeBread(server, { tasks }) {
  server.registerTool(
    'bake_bread',
    {
      title: 'Bake bread',
      description: 'Takes its time, and asks how you like it. Goes on when you leave.',
      inputSchema: object(
        {
          millisecondsPerStep: {
            type: 'integer',
            title: 'Milliseconds per step',
            minimum: 0,
            maximum: 60_000,
            default: 3000,
          },
        },
        [],
      ),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ millisecondsPerStep = 3000 }, { mcpReq }) => {
      const { elicitation, extensions } = capabilitiesOf(mcpReq)
      if (!extensions?.[TASKS]) {
        await wait(3 * millisecondsPerStep, undefined, { signal: mcpReq.signal })
        return text('A golden bread.')
      }
      return tasks.begin(async ({ say, pause, ask }) => {
        say('Kneading')
        await pause(millisecondsPerStep)
        say('Letting it rise')
        await pause(millisecondsPerStep)
        const { action, content } = elicitation ? await ask(CRUST) : { action: 'cancel' }
        say('Baking')
        await pause(millisecondsPerStep)
        return text(`A ${action === 'accept' ? content.crust : 'golden'} bread.`)
      })
    },
  )
}
