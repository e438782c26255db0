/** Reads, and writes that servers take twice without harm. Whatever else is asked may have run. */
export const mayRepeat = (method: string): boolean =>
  /^(tools\/l|resources\/|prompts\/|comple|logging\/|tasks\/|subscr|server\/|init|ping)/.test(method)
