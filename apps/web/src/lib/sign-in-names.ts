// What the app and the page that people come back to after signing in have to call the same.

/** On which the answer is handed over, `{ state, query }`, and taken, `{ taken: state }`. */
export const SIGN_IN_CHANNEL = 'switchboard-sign-in-answer'
/** Of this tab: that the app was left to sign in, `{ state, returnTo }`. */
export const SIGN_IN_LEFT = 'switchboard-sign-in-left'
/** Of this tab: an answer for the app that will be here next. */
export const SIGN_IN_ANSWER = 'switchboard-sign-in-answer'
