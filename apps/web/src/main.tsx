import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EngineContext } from '#wiring/use-engine.ts'
import { createEngineWorker } from '#wiring/engine-worker.ts'
import { startEngine } from '#wiring/start-engine.ts'
import { leaveCodeAddress, takeCompanionCode } from '#wiring/companion-code.ts'
import { App } from './shell/app.tsx'

function start(): void {
  const companionCode = takeCompanionCode()
  const engine = startEngine(createEngineWorker, {
    type: 'start',
    origin: location.origin,
    ...(companionCode === undefined ? {} : { companionCode }),
  })
  for (const type of ['online', 'offline']) addEventListener(type, () => engine.tellNetwork(navigator.onLine))
  // The address that a companion prints may be opened in a tab that is here already.
  addEventListener('hashchange', (event) => {
    if (leaveCodeAddress(event.oldURL)) event.stopImmediatePropagation()
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
}

if (!leaveCodeAddress()) start()
