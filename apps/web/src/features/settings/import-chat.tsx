import { listGpts, setting } from '#storage/live.ts'
import { Explained } from '#ui/explained.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { Section } from '#ui/page.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { useLive } from '#wiring/use-live.ts'

/** A chat that was exported as JSON, here or elsewhere. */
export function ImportChat() {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const { run, failure } = useDeed()
  const gptId = useLive(async (db) => {
    const gpts = await listGpts(db)
    const usual = await setting(db, 'defaultGptId')
    return (gpts.find(({ id }) => id === usual) ?? gpts[0])?.id ?? ''
  }, [])
  const take = (file: File) =>
    void run(async () => {
      const { conversationId } = await engine.importConversation({ text: await file.text(), gptId: gptId ?? '' })
      go(`/chat/${conversationId}`)
    })
  return (
    <Section
      title="Import a chat"
      hint="From a file that a chat was exported to as JSON. It goes on with the GPT you used last; nothing in it runs again."
    >
      <div>
        <FileButton accept=".json,application/json" onFile={take}>
          Choose the file…
        </FileButton>
      </div>
      {failure && <Explained {...explain(failure)} />}
    </Section>
  )
}
