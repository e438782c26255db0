import { completeSignIn, serverOf } from '@switchboard/mcp/oauth'
import { createProvider } from './oauth-provider.ts'

function show(text: string): void {
  const state = document.getElementById('state')
  if (state) state.textContent = text // never HTML: the address is a stranger's
}

const answer = await completeSignIn()
if (answer === 'delivered') show('You are signed in. You can close this window.')
else if (answer === 'nobody') show('No page waits for this sign-in any more. Close this window and begin anew.')
else {
  // The page was left to sign in: end it here, and go back to it.
  try {
    location.replace(await createProvider(serverOf(answer) ?? '').finishRedirect(answer))
  } catch (error) {
    show(`You are not signed in: ${error instanceof Error ? error.message : 'something failed'}`)
  }
}
