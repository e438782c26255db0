/**
 * Why the server did not start, and what to do next.
 * @param {unknown} error
 * @param {number} port
 */
export function explainStartFailure(error, port) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken, perhaps by another \`npm start\`.\nEnd that one, or choose another port: npm start -- --port ${port + 1}`
  }
  if (code === 'EACCES') return `This user may not use port ${port}. Choose one above 1023: npm start -- --port 4115`
  return message
}
