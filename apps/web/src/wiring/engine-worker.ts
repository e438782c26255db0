import { trustedScript } from './trusted-script.ts'

const address = () => new URL(import.meta.env.DEV ? '/src/engine.ts' : 'assets/engine.js', document.baseURI).href
const script = trustedScript(address)

export const createEngineWorker = (): Worker => new Worker(script(), { type: 'module' })
