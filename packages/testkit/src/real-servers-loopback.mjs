// Loaded into a foreign server's process before its own code (node --import). Left alone, such a server listens on every
// interface, on a port that somebody else may take between our choosing and its listening. Here it gets 127.0.0.1 and a
// port of the system's choice, and tells its parent which. It dies with its parent, however that one ended.
import { Server } from 'node:net'

const listen = Server.prototype.listen

Server.prototype.listen = function (...args) {
  const ready = args.findLast((argument) => typeof argument === 'function')
  const where = args[0]
  const isPath = typeof where === 'string' && !/^\d+$/.test(where)
  if (
    isPath ||
    (typeof where === 'object' && where !== null && ('path' in where || 'fd' in where || '_handle' in where))
  ) {
    return Reflect.apply(listen, this, args)
  }
  this.once('listening', () => {
    const address = this.address()
    if (typeof address === 'object' && address !== null) process.send?.({ listening: address.port })
  })
  return Reflect.apply(listen, this, [{ host: '127.0.0.1', port: 0 }, ...(ready === undefined ? [] : [ready])])
}

process.on('disconnect', () => process.exit(0))
process.channel?.unref()
