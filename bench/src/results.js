import fs from 'node:fs'
import path from 'node:path'
import { RESULTS } from './paths.js'

const fileOf = (name) => path.join(RESULTS, `${name}.json`)

export function writeResult(name, result) {
  fs.mkdirSync(RESULTS, { recursive: true })
  fs.writeFileSync(fileOf(name), `${JSON.stringify(result, null, 1)}\n`)
}

export function readResult(name) {
  return fs.existsSync(fileOf(name)) ? JSON.parse(fs.readFileSync(fileOf(name), 'utf8')) : undefined
}

/** Tables must never mix two runs. */
export function forgetResults() {
  fs.rmSync(RESULTS, { recursive: true, force: true })
  fs.mkdirSync(RESULTS, { recursive: true })
}
