import { type ReactNode, useState } from 'react'
import type { GptTools, ToolRef } from '#domain/gpt.ts'
import type { FoundTool, Server } from '#domain/server.ts'
import type { LedgerEntry } from '#domain/tool-ledger.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/field.tsx'
import { ServerDot } from '#ui/server-dot.tsx'
import { ServerPicture } from '#ui/server-picture.tsx'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolIcon } from '#ui/tool-icon.tsx'
import { ToolMark } from '#ui/tool-mark.tsx'
import { ToolWarnings } from '#ui/tool-warnings.tsx'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import styles from './gpt-editor.module.css'

const isTool = (serverId: string, toolName: string) => (tool: ToolRef) =>
  tool.serverId === serverId && tool.toolName === toolName

const hasWords = ({ name, title, description }: FoundTool, words: string): boolean => {
  const text = `${name}\n${title}\n${description}`.toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}

interface ServerToolsProps {
  gptId: string
  server: Server
  tools: GptTools
  unseen: readonly LedgerEntry[]
  /** What is looked for, in small letters; empty where nothing is. */
  words: string
  set: (next: Partial<GptTools>) => void
}

/** A server with its tick, and its tools with theirs. */
export function ServerTools({ gptId, server, tools, unseen, words, set }: ServerToolsProps) {
  const state = useEngineState((engine) => engine.servers[server.id])
  const isTicked = tools.serverIds.includes(server.id)
  const all = server.found?.tools ?? []
  const isOff = (name: string) => tools.disabledTools.some(isTool(server.id, name))
  const on = all.filter((tool) => isUsable(tool) && !isOff(tool.name)).length
  const found = words === '' ? all : all.filter((tool) => hasWords(tool, words))
  const marks = new Map(
    unseen.filter(({ serverId }) => serverId === server.id).map(({ toolName, state: mark }) => [toolName, mark]),
  )

  const tick = (checked: boolean) =>
    set({ serverIds: checked ? [...tools.serverIds, server.id] : tools.serverIds.filter((id) => id !== server.id) })
  const toggle = (name: string, isOn: boolean) => {
    const others = tools.disabledTools.filter((tool) => !isTool(server.id, name)(tool))
    set({ disabledTools: isOn ? others : [...others, { serverId: server.id, toolName: name }] })
  }
  if (words !== '' && (!isTicked || found.length === 0)) return null
  return (
    <li className={styles.server}>
      <div className={styles.serverHead}>
        <Tick
          label={
            <span className={styles.named}>
              <ServerPicture src={server.found?.icon} fallback="server" size={20} />
              {server.name}
            </span>
          }
          hint={server.enabled ? server.description || undefined : 'Switched off under Servers'}
          checked={isTicked}
          onChange={tick}
        />
        <span className={styles.badges}>
          <Unseen marks={[...marks.values()]} />
          {all.length > 0 && <span className={styles.budget}>{`${on} of ${all.length}`}</span>}
          <ServerDot state={state} isEnabled={server.enabled} />
        </span>
      </div>
      {isTicked && all.length > 0 && (
        <ToolLines
          // What is looked for is shown as soon as it is found.
          key={words === '' ? 'all' : 'found'}
          isFound={words !== ''}
          tools={found}
          line={(tool) => (
            <ToolLine
              key={tool.name}
              tool={tool}
              icon={tool.icon ?? server.found?.icon}
              mark={marks.get(tool.name)}
              isOn={!isOff(tool.name)}
              isTrusted={tools.trustedTools.some(isTool(server.id, tool.name))}
              toggle={toggle}
              gptId={gptId}
              serverId={server.id}
            />
          )}
        />
      )}
    </li>
  )
}

const isUsable = ({ problem, modelMayCall }: FoundTool): boolean => problem === undefined && modelMayCall !== false

const AT_ONCE = 50

/** Drawn once they are looked at, and not all at once: twenty servers have a thousand of them. */
function ToolLines({
  tools,
  isFound,
  line,
}: {
  tools: readonly FoundTool[]
  isFound: boolean
  line: (tool: FoundTool) => ReactNode
}) {
  const [isOpen, setOpen] = useState(isFound)
  const [count, setCount] = useState(AT_ONCE)
  return (
    <details className={styles.tools} open={isFound} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{isFound ? `${plural(tools.length, 'tool')} found` : plural(tools.length, 'tool')}</summary>
      {isOpen && (
        <>
          <ul>{tools.slice(0, count).map(line)}</ul>
          {tools.length > count && (
            <div className={styles.more}>
              <Button small onClick={() => setCount((before) => before + AT_ONCE)}>
                Show more ({tools.length - count} left)
              </Button>
            </div>
          )}
        </>
      )}
    </details>
  )
}

function Unseen({ marks }: { marks: readonly LedgerEntry['state'][] }) {
  const count = (state: LedgerEntry['state']) => marks.filter((mark) => mark === state).length
  return (
    <>
      {count('changed') > 0 && <Badge tone="warn">{count('changed')} changed</Badge>}
      {count('new') > 0 && <Badge tone="accent">{count('new')} new</Badge>}
    </>
  )
}

interface ToolLineProps {
  tool: FoundTool
  icon: string | undefined
  mark: LedgerEntry['state'] | undefined
  isOn: boolean
  isTrusted: boolean
  toggle: (name: string, isOn: boolean) => void
  gptId: string
  serverId: string
}

function ToolLine({ tool, icon, mark, isOn, isTrusted, toggle, gptId, serverId }: ToolLineProps) {
  const engine = useEngine()
  const whyNot =
    tool.problem ?? (tool.modelMayCall === false ? 'For the screens of its server alone: no model uses it.' : undefined)
  return (
    <li className={styles.tool}>
      <Tick
        kind="switch"
        label={
          <span className={styles.named}>
            <ToolIcon icon={icon} size={18} />
            {visibleText(tool.title || tool.name)}
          </span>
        }
        hint={whyNot ?? <span className={styles.description}>{visibleText(tool.description)}</span>}
        checked={isOn && whyNot === undefined}
        disabled={whyNot !== undefined}
        onChange={(checked) => toggle(tool.name, checked)}
      />
      <span className={styles.badges}>
        <ToolMark state={mark} />
        <ToolBadges annotations={tool.annotations} />
        <Button
          small
          aria-pressed={isTrusted}
          aria-label={`${isTrusted ? 'Trusted' : 'Trust'}: ${visibleText(tool.title || tool.name)}`}
          onClick={() => void engine.trustTool({ gptId, serverId, toolName: tool.name, trusted: !isTrusted })}
        >
          {isTrusted ? 'Trusted' : 'Trust'}
        </Button>
      </span>
      <ToolWarnings warnings={tool.warnings} />
    </li>
  )
}
