/** What is wrong with a YAML document, and in which line. */
export class YamlFault extends Error {
  readonly line: number
  constructor(line: number, words: string) {
    super(`Line ${line} ${words}.`)
    this.line = line
  }
}
