/** A header value as the specification encodes it: plain where it survives HTTP unchanged, else base64 of its UTF-8. */
export function encodeHeaderValue(value: string): string {
  if (/^(?! )[ -~]*(?<! )$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)) return value
  let bytes = ''
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte)
  return `=?base64?${btoa(bytes)}?=`
}
