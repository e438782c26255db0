import * as z from 'zod/mini'

// Zod looks for eval when it is first used, which the page's policy reports as a violation.
z.config({ jitless: true })

export const idSchema = z.string().check(z.minLength(1), z.maxLength(200))
export const timeSchema = z.number().check(z.int(), z.gte(0))

/** Text of a person, with its bounds: a message or an instruction of more than 200,000 characters fits no model. */
export const textSchema = (max = 200_000) => z.string().check(z.maxLength(max))
export const nameSchema = (max = 100) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))
