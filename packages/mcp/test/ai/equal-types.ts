/** True when two types are the same to the letter: `any` equals only itself. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** A line that breaks the type-check when its type argument is not `true`. */
export function holds<_T extends true>(): void {}
