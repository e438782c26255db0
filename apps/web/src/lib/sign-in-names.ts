/** What the app and the page that people come back to after signing in have to call the same. */
export const signInNames = {
  /** On which the answer is handed over, `{ state, query }`, and taken, `{ taken: state }`. */
  channel: 'switchboard-sign-in-answer',
  /** Of this tab: that the app was left to sign in, `{ state, returnTo }`. */
  left: 'switchboard-sign-in-left',
  /** Of this tab: an answer for the app that will be here next. */
  answer: 'switchboard-sign-in-answer',
} as const
