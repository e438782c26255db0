import type { Question } from '#domain/question.ts'

/** What asking the user needs of storage. */
export interface QuestionStorage {
  questionsOf(toolCallId: string): Promise<Question[]>
  /** Those of one server that came at this time or later. */
  questionsSince(serverId: string, since: number): Promise<Question[]>
  /** False where the call does not run any more. */
  putQuestions(toolCallId: string, questions: readonly Question[]): Promise<boolean>
  /** False where it is not open any more. */
  changeQuestion(id: string, change: Partial<Question>): Promise<boolean>
  /** The server has been given the answer. */
  noteTold(id: string): Promise<void>
  /** Resolves once it is not open any more, whoever answered it, in whichever tab. */
  untilAnswered(id: string, signal: AbortSignal): Promise<Question | undefined>
}

/** What it needs besides, of the vault. */
export interface QuestionNeeds extends QuestionStorage {
  /** Rejects with `Failed` (`vault-locked`). */
  seal(id: string, text: string): Promise<void>
  open(id: string): Promise<string | undefined>
  remove(id: string): Promise<void>
}
