// What failed, and what to do: questions instead of string matching.
import { isMCPError, MCPClient } from '@switchboard/mcp'

const client = new MCPClient(process.argv[2] ?? 'http://localhost:4114/demo/mcp')

for (const how of ['answer with an error', 'refuse the call', 'hang up in the middle']) {
  try {
    const { isError, text } = await client.call('fail_on_purpose', { how })
    console.log(isError ? `The tool failed, and its model may read why: ${text}` : text)
  } catch (error) {
    if (!isMCPError(error)) throw error
    if (error.isOutcomeUnknown()) console.log('It may have run. Look, then decide: it is never sent again by itself.')
    else if (error.isNetworkError() || error.isTimeout()) console.log('Try again later.')
    else if (error.isUnauthorized()) console.log('Sign in first.')
    else console.log(`${error.reason} ${error.code}: ${error.message}`)
  }
}

await client.close()
