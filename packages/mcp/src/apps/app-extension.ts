/** What a page of an MCP App is delivered as. */
export const MCP_APP_MIME_TYPE = 'text/html;profile=mcp-app'

/** `capabilities` of a client whose host can show MCP Apps. */
export const mcpAppClientCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MCP_APP_MIME_TYPE] } },
}
