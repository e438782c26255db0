const START_MS = 10_000

/** Resolves when the worker is loaded, so that the time limit of a question does not include loading. */
export function whenStarted(worker: Worker): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      worker.terminate()
      reject(new Error('The worker did not start'))
    }
    const timer = setTimeout(fail, START_MS)
    worker.onerror = fail
    worker.onmessage = () => {
      clearTimeout(timer)
      resolve(worker)
    }
  })
}

/**
 * Resolves to the worker's answer, or to undefined if the worker failed or took longer than the limit. The worker posts
 * `begun` before it starts and then its answer.
 */
export function answerOfWorker<Answer>(
  worker: Worker,
  question: unknown,
  limitMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let began = 0
    let isExtended = false
    const judge = (): void => {
      // A timer that is late tells of a machine that slept: the worker did too, and gets its time.
      if (isExtended || performance.now() - began < limitMs * 1.5) return resolve(undefined)
      isExtended = true
      timer = setTimeout(judge, limitMs)
    }
    let timer = setTimeout(() => resolve(undefined), START_MS)
    const settle = (answer?: Answer): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    worker.onmessage = ({ data }: MessageEvent<'begun' | Answer>) => {
      if (data !== 'begun') return settle(data)
      clearTimeout(timer)
      began = performance.now()
      timer = setTimeout(judge, limitMs)
    }
    worker.onerror = () => settle()
    worker.postMessage(question)
  })
}
