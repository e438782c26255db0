import type { Question } from '#domain/question.ts'
import { questionsOf } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { QuestionCard } from '#ui/question-card/question-card.tsx'
import { SettledQuestion } from '#ui/question-card/settled-question.tsx'
import { SignInCard } from '#ui/sign-in-card.tsx'
import { explain } from '#wiring/explain.ts'
import { useAnswering } from '#wiring/use-answering.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { useSignIn } from '#wiring/use-sign-in.ts'

/** What the server asks in the middle of a call, and what was answered. */
export function CallQuestions({ toolCallId }: { toolCallId: string }) {
  const questions = useLive((db) => questionsOf(db, toolCallId), [toolCallId])
  return questions?.map((question) => {
    if (question.state !== 'open') return <SettledQuestion key={question.id} question={question} />
    return question.kind === 'sign-in' ? (
      <SignInQuestion key={question.id} question={question} />
    ) : (
      <OpenQuestion key={question.id} question={question} />
    )
  })
}

function OpenQuestion({ question }: { question: Question }) {
  const { value, setValue, faults, failure, isBusy, answer, sample } = useAnswering(question)
  return (
    <QuestionCard
      question={question}
      value={value}
      onChange={setValue}
      faults={faults}
      isBusy={isBusy}
      onAnswer={answer}
      onSample={sample}
      trouble={failure && <Explained {...explain(failure, { serverId: question.serverId })} />}
    />
  )
}

/** The call was refused until somebody signs in; after that it is made by itself, once. */
function SignInQuestion({ question: { id, serverId, serverName } }: { question: Question }) {
  const engine = useEngine()
  const connection = useEngineState(({ servers }) => servers[serverId])
  const given = connection?.state === 'error' ? connection.signIn : undefined
  const { offer, phase, failure, signIn } = useSignIn({ serverId, given })
  return (
    <>
      <SignInCard serverName={serverName} offer={offer} phase={phase} trouble={failure?.message} onSignIn={signIn} />
      <div>
        <Button small onClick={() => void engine.answerQuestion({ questionId: id, action: 'decline' })}>
          Go on without it
        </Button>
      </div>
    </>
  )
}
