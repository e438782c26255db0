import { inputRequired, inputResponse } from '@modelcontextprotocol/server'
import { text } from '../schema.mjs'

/**
 * Asks the user to open a page.
 * @param {import('@modelcontextprotocol/server').McpServer} server
 * @param {import('../world.mjs').World} world
 */
export function registerConfirmByLink(server, world) {
  server.registerTool(
    'confirm_by_link',
    {
      title: 'Confirm by link',
      description: 'Asks the user to open a page in the browser and to come back.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'visit')
      if (answer.kind !== 'elicit') {
        const url = `${world.origin}confirm.html`
        return inputRequired({
          inputRequests: { visit: inputRequired.elicitUrl({ message: 'Please look at this page first.', url }) },
        })
      }
      return text(answer.action === 'accept' ? 'Thank you for looking.' : 'You did not want to look, and that is fine.')
    },
  )
}
