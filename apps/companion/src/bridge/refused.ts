/** Something that is not done, and the words for whoever asked. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, words: string, cause?: unknown) {
    super(words, cause === undefined ? undefined : { cause })
    this.status = status
  }
}
