import { describe, expect, it } from 'vitest'
import { isPrivate } from './guarded-fetch.ts'

describe('isPrivate', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.53',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a9fe:a9fe',
    '::7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::1',
    '64:ff9b:1::a00:1',
    '2001::1',
    '3fff::1',
    '5f00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
  ])('[O22] is true for %s', (address) => expect(isPrivate(address)).toBe(true))

  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '::ffff:1.1.1.1', '64:ff9b::101:101', '2606:4700::1111'])(
    '[O22] is false for %s',
    (address) => expect(isPrivate(address)).toBe(false),
  )
})
