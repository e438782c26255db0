/** There is one composer on a screen; who is done elsewhere gives the focus back to it. */
export const COMPOSER_ID = 'composer'

export const focusComposer = (): void => document.getElementById(COMPOSER_ID)?.focus({ preventScroll: true })
