import { Link } from 'wouter'
import type { ApprovalPolicy, GptTools, ToolRef } from '#domain/gpt.ts'
import type { FoundTool, Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { servers as allServers } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Choices, TextField, Tick } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { ServerDot } from '#ui/server-dot.tsx'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolWarnings } from '#ui/tool-warnings.tsx'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import type { SectionProps } from './gpt-editor.tsx'
import styles from './gpt-editor.module.css'
import { toolBudget } from './tool-budget.ts'

const POLICIES: { value: ApprovalPolicy; label: string; hint: string }[] = [
  {
    value: 'always-ask',
    label: 'Always ask',
    hint: 'You see each call before it is made, unless you allowed that tool for longer.',
  },
  {
    value: 'trusted-only',
    label: 'Ask unless trusted',
    hint: 'Tools you trust below run by themselves; every other one asks.',
  },
  {
    value: 'auto',
    label: 'Run by itself',
    hint: 'Tools run without asking. For servers that are yours, and tools that can do no harm.',
  },
]

const isTool = (serverId: string, toolName: string) => (tool: ToolRef) =>
  tool.serverId === serverId && tool.toolName === toolName

export function ToolsSection({ gpt, change }: SectionProps) {
  const { tools } = gpt
  const servers = useLive((db) => allServers(db), [])
  const set = (next: Partial<GptTools>) => change({ tools: { ...tools, ...next } })
  const { count, tokens } = toolBudget(servers ?? [], tools)
  return (
    <Section
      title="Tools"
      hint="Which servers it may use, and what of each. It sees nothing of a server you do not tick."
    >
      {servers?.length === 0 && (
        <Notice title="No servers yet" actions={<Link href="/servers/new">Add a server</Link>}>
          Tools come from MCP servers.
        </Notice>
      )}
      <ul className={styles.servers}>
        {servers?.map((server) => (
          <ServerTools key={server.id} gptId={gpt.id} server={server} tools={tools} set={set} />
        ))}
      </ul>
      {count > 0 && (
        <p className={styles.budget}>
          {plural(count, 'tool')} · about {tokens.toLocaleString('en')} tokens of descriptions with every message
        </p>
      )}
      <Choices
        legend="Before a tool runs"
        value={tools.approval}
        choices={POLICIES}
        onChange={(approval) => set({ approval })}
      />
      <TrustedTools gptId={gpt.id} tools={tools} servers={servers ?? []} />
      <Tick
        kind="switch"
        label="Long work as tasks"
        hint="Servers that can may go on with long calls by themselves, and are asked how far they are."
        checked={tools.asyncTasks}
        onChange={(asyncTasks) => set({ asyncTasks })}
      />
      {tools.asyncTasks && (
        <div className={styles.row}>
          <TextField
            label="Ask every … seconds"
            hint="1 to 60; a server's own wish comes first"
            type="number"
            min={1}
            max={60}
            value={tools.pollSeconds}
            onChange={(event) => set({ pollSeconds: Number(event.target.value) })}
          />
        </div>
      )}
    </Section>
  )
}

interface ServerToolsProps {
  gptId: string
  server: Server
  tools: GptTools
  set: (next: Partial<GptTools>) => void
}

function ServerTools({ gptId, server, tools, set }: ServerToolsProps) {
  const state = useEngineState((engine) => engine.servers[server.id])
  const isTicked = tools.serverIds.includes(server.id)
  const found = server.found?.tools ?? []
  const isOff = (name: string) => tools.disabledTools.some(isTool(server.id, name))
  const on = found.filter(({ name, problem }) => !isOff(name) && problem === undefined).length

  const tick = (checked: boolean) =>
    set({ serverIds: checked ? [...tools.serverIds, server.id] : tools.serverIds.filter((id) => id !== server.id) })
  const toggle = (name: string, isOn: boolean) => {
    const others = tools.disabledTools.filter((tool) => !isTool(server.id, name)(tool))
    set({ disabledTools: isOn ? others : [...others, { serverId: server.id, toolName: name }] })
  }
  return (
    <li className={styles.server}>
      <div className={styles.serverHead}>
        <Tick
          label={server.name}
          hint={server.enabled ? server.description || undefined : 'Switched off under Servers'}
          checked={isTicked}
          onChange={tick}
        />
        <span className={styles.badges}>
          {found.length > 0 && <span className={styles.budget}>{`${on} of ${found.length}`}</span>}
          <ServerDot state={state} isEnabled={server.enabled} />
        </span>
      </div>
      {isTicked && found.length > 0 && (
        <details className={styles.tools}>
          <summary>{plural(found.length, 'tool')}</summary>
          <ul>
            {found.map((tool) => (
              <ToolLine
                key={tool.name}
                tool={tool}
                isOn={!isOff(tool.name)}
                isTrusted={tools.trustedTools.some(isTool(server.id, tool.name))}
                toggle={toggle}
                gptId={gptId}
                serverId={server.id}
              />
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

interface ToolLineProps {
  tool: FoundTool
  isOn: boolean
  isTrusted: boolean
  toggle: (name: string, isOn: boolean) => void
  gptId: string
  serverId: string
}

function ToolLine({ tool, isOn, isTrusted, toggle, gptId, serverId }: ToolLineProps) {
  const engine = useEngine()
  return (
    <li className={styles.tool}>
      <Tick
        kind="switch"
        label={visibleText(tool.title || tool.name)}
        hint={tool.problem ?? <span className={styles.description}>{visibleText(tool.description)}</span>}
        checked={isOn && tool.problem === undefined}
        disabled={tool.problem !== undefined}
        onChange={(checked) => toggle(tool.name, checked)}
      />
      <span className={styles.badges}>
        <ToolBadges annotations={tool.annotations} />
        <Button
          small
          aria-pressed={isTrusted}
          onClick={() => void engine.trustTool({ gptId, serverId, toolName: tool.name, trusted: !isTrusted })}
        >
          {isTrusted ? 'Trusted' : 'Trust'}
        </Button>
      </span>
      <ToolWarnings warnings={tool.warnings} />
    </li>
  )
}

function TrustedTools({ gptId, tools, servers }: { gptId: string; tools: GptTools; servers: Server[] }) {
  const engine = useEngine()
  if (tools.trustedTools.length === 0) return null
  return (
    <div>
      <h3>Trusted tools</h3>
      <ul className={styles.trusted}>
        {tools.trustedTools.map(({ serverId, toolName }) => (
          <li key={`${serverId} ${toolName}`}>
            <span>
              {visibleText(toolName)} · {servers.find(({ id }) => id === serverId)?.name ?? 'a server that was removed'}
            </span>
            <Button small onClick={() => void engine.trustTool({ gptId, serverId, toolName, trusted: false })}>
              Trust no longer
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
