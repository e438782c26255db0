import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'

export interface RawRequest {
  method?: string | undefined
  path?: string | undefined
  /** `undefined` leaves out what would be sent by itself. */
  headers?: Record<string, string | undefined> | undefined
  body?: string | Uint8Array | undefined
}

export interface RawAnswer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
}

/** A request in which nothing is put right: path, Host and Origin go out as they are written here. */
export function rawRequest(
  port: number,
  { method = 'GET', path = '/', headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      setHost: !('host' in headers),
      headers: Object.fromEntries(sent),
    })
    request.once('error', reject)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.once('error', reject)
    })
    request.end(body)
  })
}

/** Bytes as they are, and the first line of the answer to them; nothing where the connection was closed. */
export function rawBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\r\n')) socket.destroy()
    })
    socket.once('error', () => resolve(''))
    socket.once('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
  })
}
