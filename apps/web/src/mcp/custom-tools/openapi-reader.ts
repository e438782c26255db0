import type { CustomToolInput } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
import type { OpenApiReading } from '#domain/openapi/read-openapi.ts'
import { answerOfWorker, whenStarted } from '../ask-worker.ts'
import type { OpenApiAnswer, OpenApiQuestion } from './openapi-worker.ts'

const LIMIT_MS = 10_000

/** Reads OpenAPI documents in a worker, which is stopped after each document, or when one takes too long. */
export function createOpenApiReader(startWorker: () => Worker, limitMs = LIMIT_MS) {
  async function ask(question: OpenApiQuestion): Promise<unknown> {
    const worker = await whenStarted(startWorker()).catch(() => {
      throw new Failed('internal', 'The part of the app that reads documents did not start. Reload the page.')
    })
    try {
      const answer = await answerOfWorker<OpenApiAnswer>(worker, question, limitMs)
      if (!answer)
        throw new Failed(
          'bad-input',
          `The document could not be read within ${limitMs / 1000} seconds. Remove parts that you don't need and try again.`,
        )
      if ('failure' in answer) throw new Failed(answer.failure.code, answer.failure.message)
      return answer.value
    } finally {
      worker.terminate()
    }
  }
  return {
    read: (text: string) => ask({ type: 'read', text }) as Promise<OpenApiReading>,
    makeTools: (text: string, base: string, chosen: readonly { id: string; name: string }[]) =>
      ask({ type: 'make-tools', text, base, chosen }) as Promise<CustomToolInput[]>,
  }
}
