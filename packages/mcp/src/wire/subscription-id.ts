import { META_PREFIX } from './http-headers.ts'

/** Where a notification says to which `subscriptions/listen` it belongs. */
export const SUBSCRIPTION_ID = `${META_PREFIX}subscriptionId`
