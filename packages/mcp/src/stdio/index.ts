export {
  type StdioOptions,
  StdioTransport,
  StdioTransport as Experimental_StdioMCPTransport,
} from './stdio-transport.ts'
