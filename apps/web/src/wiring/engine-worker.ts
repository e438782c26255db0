import { trustedScripts } from './trusted-script.ts'

const address = () => ({
  engine: new URL(import.meta.env.DEV ? '/src/engine.ts' : 'assets/engine.js', document.baseURI).href,
})
const script = trustedScripts(address)

export const createEngineWorker = (): Worker => new Worker(script('engine'), { type: 'module' })
