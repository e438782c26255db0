import { isObject } from '../jsonrpc.ts'
import type { ElicitationRequest, ElicitResult } from '../model.ts'

/** A schema that checks one kind of message: as it is, with Zod's two calls, and as a Standard Schema. */
export interface MessageSchema<T> {
  parse(value: unknown): T
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: TypeError }
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'switchboard'
    readonly validate: (value: unknown) => { value: T } | { issues: { message: string }[] }
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

function messageSchema<T>(problem: (value: unknown) => string | undefined): MessageSchema<T> {
  const safeParse: MessageSchema<T>['safeParse'] = (value) => {
    const found = problem(value)
    return found === undefined ? { success: true, data: value as T } : { success: false, error: new TypeError(found) }
  }
  return Object.freeze({
    safeParse,
    parse(value: unknown): T {
      const verdict = safeParse(value)
      if (verdict.success) return verdict.data
      throw verdict.error
    },
    '~standard': Object.freeze({
      version: 1,
      vendor: 'switchboard',
      validate: (value: unknown) => {
        const found = problem(value)
        return found === undefined ? { value: value as T } : { issues: [{ message: found }] }
      },
    }),
  })
}

/** Names the request in `onElicitationRequest(ElicitationRequestSchema, handler)`, and checks one. */
export const ElicitationRequestSchema: MessageSchema<ElicitationRequest> = /* @__PURE__ */ messageSchema((value) => {
  if (!isObject(value) || value['method'] !== 'elicitation/create') return 'method must be elicitation/create'
  const { params } = value
  return isObject(params) && typeof params['message'] === 'string' ? undefined : 'params.message must be a string'
})

/** Checks an answer to such a request. */
export const ElicitResultSchema: MessageSchema<ElicitResult> = /* @__PURE__ */ messageSchema((value) => {
  if (!isObject(value) || !/^(accept|decline|cancel)$/.test(String(value['action'])))
    return 'action must be accept, decline or cancel'
  return value['content'] === undefined || isObject(value['content']) ? undefined : 'content must be an object'
})
