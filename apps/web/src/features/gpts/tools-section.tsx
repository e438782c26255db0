import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import type { ApprovalPolicy, GptTools } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { MOST_TOKENS, MOST_TOOLS } from '#domain/tool-budget.ts'
import { servers as allServers, unseenTools } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Choices, TextField, Tick } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import type { SectionProps } from './gpt-editor.tsx'
import styles from './gpt-editor.module.css'
import { ServerTools } from './server-tools.tsx'
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
    hint: 'Tools you trust below, and read-only tools of servers you trust, run without asking. All others ask.',
  },
  {
    value: 'auto',
    label: 'Run by itself',
    hint: 'Tools run without asking. For servers that are yours, and tools that can do no harm.',
  },
]

const withGuard = (policy: (typeof POLICIES)[number]) =>
  policy.value === 'always-ask'
    ? policy
    : { ...policy, hint: `${policy.hint} They ask all the same in the case below.` }

const GUARD_ON =
  'Tools that could do harm then ask, even with “Run by itself”, trusted tools and “Always allow”. So do calls that would send what looks like a key.'
const GUARD_OFF =
  '“Run by itself” runs every tool, and “Always allow” means always, whatever is in the chat. A web page or an e-mail that a tool reads can then make the model call your other tools, also with what looks like a key.'

/** Fewer are seen at a glance. */
const MANY = 12

export function ToolsSection({ gpt, change }: SectionProps) {
  const { tools } = gpt
  const { askOnUntrustedContent = true } = tools
  const servers = useLive((db) => allServers(db), [])
  const set = (next: Partial<GptTools>) => change({ tools: next })
  const unseen = useLive((db) => unseenTools(db), [])
  const [words, setWords] = useState('')
  // The field never waits for the lists.
  const wanted = useDeferredValue(words.trim().toLowerCase())
  const listed = servers?.filter(({ id }) => tools.serverIds.includes(id)) ?? []
  const isLong = listed.reduce((sum, { found }) => sum + (found?.tools.length ?? 0), 0) > MANY
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
      {isLong && (
        <TextField
          label="Find a tool"
          hint="By its name or what it does, among the tools of the servers you ticked."
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <ul className={styles.servers} aria-label="Servers">
        {servers?.map((server) => (
          <ServerTools
            key={server.id}
            gptId={gpt.id}
            server={server}
            tools={tools}
            unseen={unseen ?? []}
            words={isLong ? wanted : ''}
            set={set}
          />
        ))}
      </ul>
      <Budget servers={servers ?? []} tools={tools} />
      <Choices
        legend="Before a tool runs"
        value={tools.approval}
        choices={askOnUntrustedContent ? POLICIES.map(withGuard) : POLICIES}
        onChange={(approval) => set({ approval })}
      />
      <Tick
        kind="switch"
        label="Ask when content from an untrusted server is in the chat"
        hint={askOnUntrustedContent ? GUARD_ON : GUARD_OFF}
        checked={askOnUntrustedContent}
        onChange={(checked) => set({ askOnUntrustedContent: checked })}
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

function Budget({ servers, tools }: { servers: Server[]; tools: GptTools }) {
  const { count, tokens, fits } = toolBudget(servers, tools)
  if (count === 0) return null
  const cost = `${plural(count, 'tool')} · about ${tokens.toLocaleString('en')} tokens of definitions`
  return (
    <p className={styles.budget} role="status">
      {fits
        ? `${cost} with every message`
        : `${cost}: more than goes with a message (${MOST_TOOLS} tools, ${MOST_TOKENS.toLocaleString('en')} tokens). The model gets a tool to search them instead, and those that it finds.`}
    </p>
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
