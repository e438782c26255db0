import {
  type LlmEndpoint,
  type LlmOptions,
  type LlmRequest,
  type LlmTurn,
  startLlmEndpoint,
} from '@switchboard/testkit/llm-endpoint'

export interface ScriptedModel extends LlmEndpoint {
  /** What it answers from now on: by the number of answers that the conversation holds, or as a function says. */
  follow(script: LlmTurn[] | ((request: LlmRequest) => LlmTurn)): void
}

/** A service whose model does what the test says. */
export async function startScriptedModel(options: LlmOptions = {}): Promise<ScriptedModel> {
  let script: (request: LlmRequest) => LlmTurn = () => ({ text: 'Nothing to say.' })
  const endpoint = await startLlmEndpoint((request) => script(request), options)
  return Object.assign(endpoint, {
    follow(next: Parameters<ScriptedModel['follow']>[0]) {
      script = typeof next === 'function' ? next : ({ step }) => next[step] ?? { text: 'Nothing more to say.' }
    },
  })
}

/** A promise that the test keeps when it likes. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** All that tools have answered so far, as it stands in a request. */
export const toldIn = (request: LlmRequest | undefined): string =>
  JSON.stringify(request?.results.map(({ output }) => output))
