import { isRecord, type Schema } from './schema.ts'

/** Arguments and answers are objects, whatever their schema forgets to say. */
export const asObjectSchema = (schema: unknown): Schema =>
  isRecord(schema) ? { ...schema, type: 'object' } : { type: 'object' }
