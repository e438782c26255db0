import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import '#ui/base.css'
import { Toasts } from '#ui/toast.tsx'
import type { CommandName, EngineState } from '#wiring/commands.ts'
import { type Engine, EngineContext } from '#wiring/use-engine.ts'

export const readyState: EngineState = {
  phase: 'ready',
  vault: { state: 'open', protection: 'device' },
  storage: { state: 'stored' },
  servers: {},
  turns: {},
  companion: 'absent',
}

/** Waits until a check holds, also on a machine that is busy with other things. */
export const eventually = <T,>(check: () => T): Promise<T> => vi.waitFor(check, { timeout: 15_000 })

export interface Asked {
  name: CommandName
  input: unknown
}

/** Puts an element on the page with an engine that answers as the test says, and remembers what it was asked. */
export function mountInTest(
  element: ReactNode,
  answers: { [Name in CommandName]?: (input: never) => unknown } = {},
): {
  container: HTMLElement
  asked: Asked[]
  render: (next: ReactNode) => void
  setState: (change: Partial<EngineState>) => void
  unmount: () => void
} {
  const asked: Asked[] = []
  const listeners = new Set<() => void>()
  let state = readyState
  const own = {
    get state() {
      return state
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const engine = new Proxy(own as Engine, {
    get: (target, name: CommandName) =>
      name in target
        ? Reflect.get(target, name)
        : async (input: never) => {
            asked.push({ name, input })
            return answers[name]?.(input)
          },
  })
  const container = document.createElement('div')
  container.id = 'root'
  container.style.height = '100vh'
  document.body.append(container)
  const root = createRoot(container)
  const render = (next: ReactNode) =>
    root.render(
      <EngineContext value={engine}>
        <Router hook={useHashLocation}>
          {next}
          <Toasts />
        </Router>
      </EngineContext>,
    )
  render(element)
  return {
    container,
    asked,
    render,
    setState: (change) => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    unmount: () => {
      root.unmount()
      container.remove()
    },
  }
}
