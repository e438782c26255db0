import type { CustomToolCommand } from './custom-tool-deeds.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

/** Custom tools. What it takes is loaded when somebody has to do with them. */
export function customToolCommands(parts: EngineParts): Carried<CustomToolCommand> {
  let loaded: Promise<Carried<CustomToolCommand>> | undefined
  const deeds = () =>
    (loaded ??= import('./custom-tool-deeds.ts').then(
      ({ customToolDeeds }) => customToolDeeds(parts),
      (error: unknown) => {
        loaded = undefined
        throw error
      },
    ))
  return {
    saveCustomTool: async (input) => (await deeds()).saveCustomTool(input),
    deleteCustomTool: async (input) => (await deeds()).deleteCustomTool(input),
    restoreCustomTool: async (input) => (await deeds()).restoreCustomTool(input),
    testCustomTool: async (input) => (await deeds()).testCustomTool(input),
    stopCustomToolTest: async (input) => (await deeds()).stopCustomToolTest(input),
    readOpenApi: async (input) => (await deeds()).readOpenApi(input),
    importOpenApi: async (input) => (await deeds()).importOpenApi(input),
    fetchDocument: async (input) => (await deeds()).fetchDocument(input),
  }
}
