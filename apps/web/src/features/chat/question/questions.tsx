import type { Question } from '#domain/question.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { Button } from '#ui/button.tsx'
import { QuestionCard } from '#ui/question-card/question-card.tsx'
import { SettledQuestion } from '#ui/question-card/settled-question.tsx'
import { SignInCard } from '#ui/sign-in-card.tsx'
import { useAnswering } from '#wiring/use-answering.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useSignIn } from '#wiring/use-sign-in.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { sayFailure } from '../say-failure.ts'
import styles from './questions.module.css'

/** What a server asks in the middle of a call, under the call that asked. */
export function Questions({ call, questions }: { call: ToolCall; questions: readonly Question[] }) {
  const engine = useEngine()
  return (
    <div className={styles.questions}>
      {questions.map((question) =>
        question.state !== 'open' ? (
          <SettledQuestion key={question.id} question={question} />
        ) : question.kind === 'sign-in' ? (
          <SignInQuestion key={question.id} question={question} />
        ) : (
          <OpenQuestion key={question.id} question={question} />
        ),
      )}
      {call.status === 'asking' && (
        <div>
          <Button
            small
            look="quiet"
            icon="stop"
            onClick={() => void engine.cancelCall({ toolCallId: call.id }).catch(sayFailure)}
          >
            Give up this call
          </Button>
        </div>
      )}
    </div>
  )
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
      trouble={failure && <FailureNotice failure={failure} serverId={question.serverId} />}
    />
  )
}

/** The call was refused until somebody signs in; after that it is made by itself, once. */
function SignInQuestion({ question }: { question: Question }) {
  const engine = useEngine()
  const { id, serverId, serverName } = question
  const connection = useEngineState(({ servers }) => servers[serverId])
  const given = connection?.state === 'error' ? connection.signIn : undefined
  const deed = useSignIn({ serverId, given })
  return (
    <>
      <SignInCard
        serverName={serverName}
        offer={deed.offer}
        phase={deed.phase}
        trouble={deed.failure?.message}
        isUrgent
        onSignIn={deed.signIn}
      />
      <div>
        <Button
          small
          onClick={() => void engine.answerQuestion({ questionId: id, action: 'decline' }).catch(sayFailure)}
        >
          Go on without it
        </Button>
      </div>
    </>
  )
}
