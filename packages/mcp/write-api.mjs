/**
 * Writes docs/api.md: every public name of every entry, what it is for, and its types, from the sources.
 *   node write-api.mjs
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { API, SymbolFlags } from 'typescript/unstable/sync'

const here = path.dirname(fileURLToPath(import.meta.url))
export const apiFile = path.join(here, 'docs/api.md')

const entries = [
  { name: '@switchboard/mcp', types: 'index.d.ts', about: 'For pages, workers, Node and edge.' },
  {
    name: '@switchboard/mcp/oauth',
    types: 'oauth/index.d.ts',
    about: 'Everything of `@switchboard/mcp` under the same names, and signing in. What is different or more:',
  },
  { name: '@switchboard/mcp/stdio', types: 'stdio/index.d.ts', about: 'For Node: servers that are programs.' },
]

/** The public names of the sources as they are now, by entry. */
export function publicNames() {
  const cache = path.join(here, 'node_modules/.cache')
  fs.mkdirSync(cache, { recursive: true })
  const folder = fs.mkdtempSync(path.join(cache, 'api-'))
  try {
    execFileSync(process.execPath, [path.join(here, 'build.mjs'), '--out', folder], { stdio: 'inherit' })
    return readNames(folder)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function readNames(folder) {
  const config = path.join(folder, 'tsconfig.json')
  const compilerOptions = { module: 'nodenext', lib: ['ES2023', 'ESNext.Disposable', 'DOM'], types: [] }
  fs.writeFileSync(config, JSON.stringify({ compilerOptions, files: entries.map(({ types }) => types) }))
  const api = new API({ cwd: folder })
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    const told = new Map()
    return entries.map((entry) => {
      const module = project.checker.getSymbolAtLocation(project.program.getSourceFile(path.join(folder, entry.types)))
      const names = project.checker
        .getExportsOfModule(module)
        .map((symbol) => readName(project, symbol))
        .toSorted((a, b) => Number(a.isType) - Number(b.isType) || a.name.localeCompare(b.name, 'en'))
      const fresh = names.filter(({ name, declared }) => told.get(name) !== declared)
      for (const { name, declared } of names) told.set(name, declared)
      return { ...entry, names: fresh }
    })
  } finally {
    api.close()
  }
}

function readName(project, exported) {
  const { checker } = project
  const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const nodes = symbol.declarations.map((handle) => handle.resolve(project))
  return {
    name: exported.name,
    declaredAs: symbol.name,
    declared: `${nodes[0].getSourceFile().fileName}#${symbol.name}`,
    isType: (symbol.flags & SymbolFlags.Value) === 0,
    sentence: firstSentence(checker.getDocumentationCommentOfSymbol(symbol)),
    code: nodes.map(publicText).join('\n'),
  }
}

const firstSentence = (text) => /^.*?[.?!](?=\s|$)/.exec(text.replaceAll(/\s+/g, ' ').trim())?.[0] ?? ''

/** A declaration as one may rely on it: without what is private. */
function publicText(node) {
  const { text } = node.getSourceFile()
  const start = node.getStart()
  let code = text.slice(start, node.end)
  for (const member of [...(node.members ?? [])].reverse()) {
    const whole = text.slice(member.pos, member.end)
    if (!/@internal/.test(whole) && !/^(private |#)/.test(text.slice(member.getStart(), member.end))) continue
    code = code.slice(0, member.pos - start) + code.slice(member.end - start)
  }
  const isVariable = !/^(export|declare|interface|type) /.test(code)
  return (isVariable ? `const ${code}` : code)
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replaceAll('    ', '  ')
}

/** docs/api.md, as it should be. */
export function apiText(found = publicNames()) {
  const parts = [
    '# API\n\nEvery public name, from the sources: `npm run api -w packages/mcp` writes this page, and a test holds it true. `@switchboard/mcp/standalone` is `@switchboard/mcp` in one file, with the same names.',
  ]
  for (const { name, about, names } of found) {
    const canonical = new Set(names.filter((one) => one.name === one.declaredAs).map(({ declared }) => declared))
    const others = names.filter((one) => one.name !== one.declaredAs && canonical.has(one.declared))
    parts.push(`## ${name}`, about)
    for (const one of names.filter((each) => !others.includes(each)))
      parts.push(`### ${one.name}`, one.sentence, `\`\`\`ts\n${one.code}\n\`\`\``)
    if (others.length === 0) continue
    const rows = others.map((one) => `| \`${one.name}\` | \`${one.declaredAs}\` |`)
    parts.push('### Other names', ['| | the same as |', '|---|---|', ...rows].join('\n'))
  }
  return `${parts.join('\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  fs.mkdirSync(path.dirname(apiFile), { recursive: true })
  fs.writeFileSync(apiFile, apiText())
}
