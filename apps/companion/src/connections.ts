import type { Socket } from 'node:net'

/** Connections that have not shown the token: any program of this machine can open them. */
const MAX_GUESTS = 64
/** Connections that have. They are the app's, and no guest can take their place. */
const MAX_KNOWN = 192

/** Which connections are held: a bounded number, of which most are reserved for those that have shown the token. */
export interface Connections {
  add(socket: Socket): void
  /** A request with the token came over this connection. */
  know(socket: Socket): void
  /** A request begins; call the result when it has been answered. */
  begin(socket: Socket): () => void
  closeAll(): void
}

export function createConnections(): Connections {
  // In the order in which they were opened.
  const guests = new Set<Socket>()
  const known = new Set<Socket>()
  const requests = new Map<Socket, number>()

  /** A new guest is never refused for the sake of an old one: idle connections would otherwise lock the app out. */
  const makeRoom = (): void => {
    if (guests.size < MAX_GUESTS) return
    const [oldest] = guests
    const idle = [...guests].find((socket) => !requests.has(socket))
    const leaving = idle ?? oldest
    if (!leaving) return
    guests.delete(leaving)
    leaving.destroy()
  }

  return {
    add(socket) {
      makeRoom()
      guests.add(socket)
      socket.once('close', () => {
        guests.delete(socket)
        known.delete(socket)
        requests.delete(socket)
      })
    },
    know(socket) {
      if (known.size >= MAX_KNOWN || !guests.delete(socket)) return
      known.add(socket)
    },
    begin(socket) {
      requests.set(socket, (requests.get(socket) ?? 0) + 1)
      return () => {
        const left = (requests.get(socket) ?? 1) - 1
        if (left > 0) requests.set(socket, left)
        else requests.delete(socket)
      }
    },
    closeAll() {
      for (const socket of [...guests, ...known]) socket.destroy()
    },
  }
}
