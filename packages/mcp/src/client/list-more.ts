import type { ListPromptsResult, ListResourcesResult, ListResourceTemplatesResult } from '../model.ts'
import type { Connection } from './connection.ts'
import { type ListArguments, list } from './list.ts'

type Given = boolean | ListArguments | undefined

export const listResources = (connection: Connection, given: Given): Promise<ListResourcesResult> =>
  list(connection, 'resources/list', 'resources', given)

export const listResourceTemplates = (connection: Connection, given: Given): Promise<ListResourceTemplatesResult> =>
  list(connection, 'resources/templates/list', 'resourceTemplates', given)

export const listPrompts = (connection: Connection, given: Given): Promise<ListPromptsResult> =>
  list(connection, 'prompts/list', 'prompts', given)
