/** Why the companion did not start, and what to do next. */
export function explainStartFailure(error: unknown): string {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken, perhaps by another Switchboard.\nEnd that one, or choose another port: npm start -- --port 4214\nThe app keeps its contents per port: at another one it begins empty.`
  if (code === 'EACCES') return `This user may not use port ${port}. Choose one above 1023: npm start -- --port 4214`
  return message
}
