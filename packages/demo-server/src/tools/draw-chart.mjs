import { drawBars } from '../draw-bars.mjs'
import { object } from '../schema.mjs'

/** An image. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerDrawChart(server) {
  server.registerTool(
    'draw_chart',
    {
      title: 'Draw a chart',
      description: 'Draws numbers as bars and answers with a PNG image.',
      inputSchema: object({
        values: {
          type: 'array',
          title: 'Values',
          description: 'Two to twelve numbers from 0 to 999',
          items: { type: 'number', minimum: 0, maximum: 999 },
          minItems: 2,
          maxItems: 12,
          default: [12, 30, 18, 44, 36, 52],
        },
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ values }) => ({
      content: [
        { type: 'text', text: `A chart of ${values.length} values, the largest ${Math.max(...values)}.` },
        { type: 'image', data: drawBars(values).toString('base64'), mimeType: 'image/png' },
      ],
    }),
  )
}
