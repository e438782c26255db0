import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EngineContext } from '#wiring/use-engine.ts'
import { createEngineWorker } from '#wiring/engine-worker.ts'
import { startEngine } from '#wiring/start-engine.ts'
import { takeCompanionToken } from '#wiring/companion-token.ts'
import { App } from './shell/app.tsx'

const companionToken = takeCompanionToken()
const engine = startEngine(createEngineWorker, {
  type: 'start',
  origin: location.origin,
  ...(companionToken === undefined ? {} : { companionToken }),
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <EngineContext value={engine}>
      <App />
    </EngineContext>
  </StrictMode>,
)
