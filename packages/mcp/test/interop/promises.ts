import { describeApps } from './apps-promises.ts'
import { describeEverything } from './everything-promises.ts'
import { describeProxied } from './proxied-promises.ts'
import type { Surroundings } from './surroundings.ts'
import { describeTwoEras } from './two-eras-promises.ts'

/** One table for Node and for a page: what holds with servers that others have written. */
export function describeRealServers(surroundings: Surroundings): void {
  describeEverything(surroundings)
  describeProxied(surroundings)
  describeApps(surroundings)
  describeTwoEras(surroundings)
}
