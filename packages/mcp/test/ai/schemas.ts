import type { ToolSetOf } from '@switchboard/mcp'
import * as v from 'valibot'
import { z } from 'zod'
import { z as z3 } from 'zod-3'

/** One tool for each kind of schema that users have, for the type tests of each version of the AI SDK. */
export const schemas = {
  'zod-4': {
    inputSchema: z.object({ city: z.string(), days: z.number().optional() }),
    outputSchema: z.object({ temperature: z.number() }),
  },
  'zod-3': { inputSchema: z3.object({ a: z3.string() }), outputSchema: z3.object({ b: z3.boolean() }) },
  valibot: { inputSchema: v.object({ n: v.number() }) },
  json: { inputSchema: { type: 'object', properties: {} } },
  empty: { inputSchema: z.object({}) },
}

export type Typed = ToolSetOf<typeof schemas>
export declare const typed: Typed
export declare const dynamic: ToolSetOf
