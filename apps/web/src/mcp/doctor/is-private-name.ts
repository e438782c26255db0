import { isLoopback } from '#domain/loopback.ts'

/** Of this machine, or of the network around it, as far as the name tells. */
export const isPrivateName = (hostname: string): boolean =>
  isLoopback(hostname) ||
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(hostname) ||
  /^\[f[cde]/i.test(hostname) ||
  /\.(local|internal|localhost|lan|home|home\.arpa)$/i.test(hostname) ||
  !/[.:]/.test(hostname)
