// Reads OpenAPI documents. A worker of its own, so that a document that takes too long can be stopped.
import { type Failure, failureOf } from '#domain/failure.ts'
import { type OpenApiReading, readOpenApi } from '#domain/openapi/read-openapi.ts'
import { toolsOfOpenApi } from '#domain/openapi/tools-of-openapi.ts'
import type { CustomToolInput } from '#domain/custom-tool.ts'

export type OpenApiQuestion =
  | { type: 'read'; text: string }
  | { type: 'make-tools'; text: string; base: string; chosen: readonly { id: string; name: string }[] }

export type OpenApiAnswer = { value: OpenApiReading | CustomToolInput[] } | { failure: Failure }

function answer(question: OpenApiQuestion): OpenApiAnswer {
  try {
    const { text } = question
    return {
      value: question.type === 'read' ? readOpenApi(text) : toolsOfOpenApi(text, question.base, question.chosen),
    }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

self.onmessage = ({ data }: MessageEvent<OpenApiQuestion>) => {
  self.postMessage('begun')
  self.postMessage(answer(data))
}
self.postMessage('ready')
