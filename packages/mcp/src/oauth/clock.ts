/** Milliseconds since 1970 that do not jump when the clock of the machine is set. */
export const now = (): number => performance.timeOrigin + performance.now()
