import type { Inquiry, MCPClient, MCPClientConfig } from '@switchboard/mcp'

type Handlers = Pick<MCPClientConfig, 'onElicitationRequest' | 'onSamplingRequest'>

/** Who hears what a server asks on its connection; that an answer of a model may be asked for, only where the user allowed it. */
export function hearQuestions(client: () => MCPClient | undefined, mayHaveModel: boolean | undefined): Handlers {
  const ask = async (request: { method: string; params: object }, inquiry: Inquiry) => {
    const { askUser } = await import('./ask-user.ts')
    return askUser(client(), request as { method: string; params: Record<string, unknown> }, inquiry)
  }
  return {
    onElicitationRequest: ask as NonNullable<Handlers['onElicitationRequest']>,
    ...(mayHaveModel && { onSamplingRequest: ask }),
  }
}
