/** Brings the contestants up to date: ours is built, peers are installed from their own lock files. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { PEERS, ROOT } from './paths.js'
import { dependencies } from './peers.js'

function npm(args, cwd) {
  // npm's own progress would stand in the middle of the tables.
  const { status, error, stdout } = spawnSync('npm', args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}\n${stdout}`, { cause: error })
}

export function buildOwn() {
  npm(['run', 'build', '-w', 'packages/mcp', '--loglevel=error'], path.dirname(ROOT))
}

function installedVersion(id, name) {
  const manifest = path.join(PEERS, id, 'node_modules', name, 'package.json')
  return fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest, 'utf8')).version : undefined
}

export function installPeers(ids) {
  for (const id of ids) {
    const wanted = Object.entries(dependencies(id))
    if (wanted.every(([name, version]) => installedVersion(id, name) === version)) continue
    console.error(`Installing ${wanted.map((pair) => pair.join(' ')).join(', ')} …`)
    npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], path.join(PEERS, id))
  }
}
