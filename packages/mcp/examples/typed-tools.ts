// Tools with schemas of your own: inputs and outputs are typed and checked, and no other tool reaches the model.
import { createMCPClient } from '@switchboard/mcp'
import { z } from 'zod'

const client = await createMCPClient({
  transport: { type: 'http', url: process.argv[2] ?? 'http://localhost:4114/demo/mcp' },
})

const tools = await client.tools({
  schemas: {
    forecast: {
      inputSchema: z.object({ city: z.enum(['Lisbon', 'Oslo']), days: z.int().max(7).optional() }),
      outputSchema: z.object({ city: z.string(), days: z.array(z.object({ date: z.string(), high: z.number() })) }),
    },
    world_clock: { inputSchema: z.object({ timeZone: z.string() }) }, // without outputSchema: the raw result
  },
})

// By hand, as generateText and streamText do it.
const forecast = await tools.forecast.execute({ city: 'Oslo', days: 2 })
for (const { date, high } of forecast.days) console.log(`${date}: up to ${high}°`)
const { content } = await tools.world_clock.execute({ timeZone: 'Asia/Tokyo' })
console.log(content)

await client.close()
