import { generateKeyPairSync, sign } from 'node:crypto'

/** One DER element: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'ascii'))

const DAY_MS = 86_400_000

/** A fresh key and self-signed certificate for 127.0.0.1, good for two days: no key has to live in the repository. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('127.0.0.1')))))
  const validity = sequence(utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + 2 * DAY_MS)))
  const addresses = der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))
  const extensions = der(0xa3, sequence(sequence(oid('551d11'), addresses)))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = sequence(body, ecdsaWithSha256, signature).toString('base64')
  const lines = certificate.match(/.{1,64}/g)?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
