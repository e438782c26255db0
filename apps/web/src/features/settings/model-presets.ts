import type { ModelConnection } from '#domain/model-connection.ts'

export interface Preset extends Pick<ModelConnection, 'kind' | 'name' | 'baseUrl' | 'api'> {
  label: string
  hint: string
  /** Where a key comes from, or what to set for a program on this computer. */
  help: string
  needsKey: boolean
}

export const presets: Preset[] = [
  {
    label: 'OpenAI',
    hint: 'with your API key',
    kind: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    api: 'responses',
    help: 'Keys are made at platform.openai.com, under API keys.',
    needsKey: true,
  },
  {
    label: 'Anthropic',
    hint: 'with your API key',
    kind: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    api: 'chat',
    help: 'Keys are made at console.anthropic.com.',
    needsKey: true,
  },
  {
    label: 'Ollama',
    hint: 'on this computer',
    kind: 'compatible',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    api: 'chat',
    help: 'If it refuses this page, start it with OLLAMA_ORIGINS set to the address of this app.',
    needsKey: false,
  },
  {
    label: 'LM Studio',
    hint: 'on this computer',
    kind: 'compatible',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    api: 'chat',
    help: 'Turn on its server, and CORS in the settings of that server.',
    needsKey: false,
  },
  {
    label: 'OpenRouter',
    hint: 'many models, one key',
    kind: 'compatible',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    api: 'chat',
    help: 'Keys are made at openrouter.ai.',
    needsKey: true,
  },
  {
    label: 'Another',
    hint: 'anything that speaks like OpenAI',
    kind: 'compatible',
    name: '',
    baseUrl: '',
    api: 'chat',
    help: 'Any service with chat completions: vLLM, llama.cpp, a company gateway. It must allow this page (CORS).',
    needsKey: false,
  },
]
