export {
  StdioTransport as Experimental_StdioMCPTransport,
  StdioTransport as StdioMCPTransport,
  type StdioOptions,
  StdioTransport,
} from './stdio-transport.ts'
