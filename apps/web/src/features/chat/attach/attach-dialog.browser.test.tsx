import { afterEach, expect, test, vi } from 'vitest'
import type { ListedResource, ResourcePart } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { Database } from '#storage/db.ts'
import { eventually, mountInTest } from '../mount-in-test.tsx'
import { AttachDialog } from './attach-dialog.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest>
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const resource = (name: string): ListedResource => ({
  uri: `x://${name}`,
  name,
  title: '',
  description: '',
  mimeType: 'text/plain',
})

test('of two resources that were picked the later one is attached, and none once the dialog is closed', async () => {
  const onInsert = vi.fn()
  const reads = new Map<string, () => void>()
  await db.mcpServers.put({ id: 's', name: 'Notes', enabled: true } as Server)
  mounted = mountInTest(
    <AttachDialog picking="resources" serverIds={['s']} attachments={[]} onInsert={onInsert} onClose={() => {}} />,
    {
      listResources: () => ({ items: ['slow', 'quick', 'late'].map(resource), leftOut: 0, canWatch: false }),
      listResourceTemplates: () => ({ items: [], leftOut: 0, canComplete: false }),
      readResource: ({ uri }: { uri: string }) =>
        new Promise<{ parts: ResourcePart[]; leftOut: number }>((resolve) => {
          const part: ResourcePart = { kind: 'text', uri, mimeType: 'text/plain', text: 'words', size: 5, isCut: false }
          reads.set(uri, () => resolve({ parts: [part], leftOut: 0 }))
        }),
    },
  )
  const pick = (name: string) =>
    eventually(() => {
      const offer = [...mounted.container.querySelectorAll('button')].find(({ textContent }) =>
        textContent.startsWith(name),
      )
      if (!offer) throw new Error(`no ${name}`)
      offer.click()
    })
  await pick('slow')
  await pick('quick')
  reads.get('x://quick')?.()
  reads.get('x://slow')?.()
  await eventually(() => expect(onInsert).toHaveBeenCalledTimes(1))
  expect(onInsert).toHaveBeenCalledWith('', [expect.objectContaining({ name: 'quick' })])
  await pick('late')
  mounted.render(<p>closed</p>)
  await eventually(() => expect(mounted.container.textContent).toContain('closed'))
  reads.get('x://late')?.()
  await new Promise(requestAnimationFrame)
  expect(onInsert).toHaveBeenCalledTimes(1)
})
