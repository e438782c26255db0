import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface LeakTraps<Name extends string> {
  /** A port for each, of TCP and of UDP. */
  readonly ports: Record<Name, number>
  /** Those to whose port anybody connected. */
  readonly connected: Set<Name>
  /** Those that were sent something, if only a byte. */
  readonly told: Set<Name>
  close(): Promise<void>
}

/** Listens on a port of its own for each way out that a page could find. */
export async function setLeakTraps<Name extends string>(names: readonly Name[]): Promise<LeakTraps<Name>> {
  const connected = new Set<Name>()
  const told = new Set<Name>()
  const traps = await Promise.all(
    names.map((name) =>
      setTrap(
        () => connected.add(name),
        () => told.add(name),
      ),
    ),
  )
  return {
    ports: Object.fromEntries(names.map((name, at) => [name, traps[at]?.port])) as Record<Name, number>,
    connected,
    told,
    close: async () => void (await Promise.all(traps.map(({ close }) => close()))),
  }
}

async function setTrap(
  onConnect: () => void,
  onTold: () => void,
): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    onConnect()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      onTold()
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const packets = createSocket('udp4', onTold)
  await new Promise<void>((resolve) => packets.bind(port, '127.0.0.1', resolve))
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all([
      new Promise<void>((resolve) => packets.close(resolve)),
      new Promise<void>((resolve) => server.close(() => resolve())),
    ])
  }
  return { port, close }
}
