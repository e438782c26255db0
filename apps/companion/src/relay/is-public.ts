import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Addresses of this machine, of its networks, of clouds' own services, and of nobody. */
const PRIVATE_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Within 2000::/3: documentation, and those that carry an IPv4 address or lead through somebody's tunnel. */
const PRIVATE_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const blocked = new BlockList()
for (const [address, bits] of PRIVATE_4) blocked.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of PRIVATE_6) blocked.addSubnet(address, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address belongs to somebody on the internet. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !blocked.check(address, 'ipv4')
  // Also an IPv4 address in the clothes of IPv6 is outside 2000::/3.
  return isIPv6(address) && global6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
}
