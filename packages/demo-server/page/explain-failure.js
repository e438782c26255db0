import { isMCPError } from '/library/index.js'

/** @typedef {{ title: string, text: string, next: string, again: string | undefined }} Explanation */

/**
 * A failure in words: what happened, and what to do next. `again` is the label of a button that repeats the deed.
 * @param {unknown} error
 * @returns {Explanation}
 */
export function explainFailure(error) {
  if (error instanceof DOMException && error.name === 'AbortError') {
    return { title: 'Cancelled', text: 'You stopped it, and the server was told.', next: '', again: undefined }
  }
  if (!isMCPError(error)) {
    return {
      title: 'This cannot be sent',
      text: error instanceof Error ? error.message : String(error),
      next: '',
      again: undefined,
    }
  }
  const text = error.message
  if (error.isOutcomeUnknown()) {
    return {
      title: 'Outcome unknown',
      text,
      next: 'It was not sent again by itself: only you can tell whether twice does harm.',
      again: 'Run again',
    }
  }
  switch (error.reason) {
    case 'network':
      return {
        title: 'Not reached',
        text,
        next: 'Check the address, and that the server runs. One of another origin must also allow this page: its author can add CORS headers.',
        again: 'Try again',
      }
    case 'timeout':
      return { title: 'No answer', text, next: 'Try again, or give it more time.', again: 'Try again' }
    case 'unauthorized':
      return {
        title: 'Authorization needed',
        text,
        next: 'Put a token into the field above and connect again.',
        again: undefined,
      }
    case 'session-expired':
      return { title: 'The session is over', text, next: 'Connect again to begin a new one.', again: undefined }
    case 'redirect':
      return {
        title: 'The server moved',
        text,
        next: 'If you trust the new address, connect to that one.',
        again: undefined,
      }
    case 'too-large':
      return { title: 'Too large', text, next: 'Ask for less at once.', again: undefined }
    case 'limit':
      return { title: 'Without end', text, next: 'The server does not stop: tell its author.', again: undefined }
    case 'protocol':
      return {
        title: 'Not MCP',
        text,
        next: 'Check that the address is that of an MCP endpoint: many end in /mcp.',
        again: 'Try again',
      }
    case 'http':
      return { title: 'The server refused', text, next: 'Check the address, or try again later.', again: 'Try again' }
    case 'closed':
      return { title: 'Disconnected', text, next: 'Connect again.', again: undefined }
    default:
      return { title: 'The server says no', text, next: 'Check the arguments and try again.', again: undefined }
  }
}
