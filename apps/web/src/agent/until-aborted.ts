/** Rejects when the signal is aborted, also where the far side takes no notice of it. */
export function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('Stopped', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const leave = () => signal.removeEventListener('abort', abort)
    promise.then(
      (value) => {
        leave()
        resolve(value)
      },
      (error: unknown) => {
        leave()
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- handed on as it came
        reject(error)
      },
    )
  })
}
