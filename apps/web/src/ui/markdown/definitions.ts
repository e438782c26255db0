import { type Section, withLead } from './split-sections.ts'

const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.){1,200})\]:[ \t]*\S.{0,2000}$/gm
const REFERENCE = /\[((?:[^[\]\\]|\\.){1,200})\]/g

const labelOf = (written: string): string => written.trim().replace(/\s+/g, ' ').toLowerCase()

interface Links {
  /** The lines that define links and footnotes, by label. */
  defines: ReadonlyMap<string, string>
  refersTo: ReadonlySet<string>
}

const known = new WeakMap<Section, Links>()

function linksOf(section: Section): Links {
  const found = known.get(section)
  if (found) return found
  const { source } = section
  const defines = new Map<string, string>()
  for (const [line, label = ''] of source.matchAll(DEFINITION))
    if (!defines.has(labelOf(label))) defines.set(labelOf(label), line)
  const refersTo = new Set(Array.from(withLead(section).matchAll(REFERENCE), ([, label = '']) => labelOf(label)))
  const links = { defines, refersTo }
  known.set(section, links)
  return links
}

/** For each section, the lines of other sections that define what it refers to. A section without references gets none. */
export function definitionsFor(sections: readonly Section[]): string[] {
  const all = new Map<string, string>()
  if (sections.length > 1)
    for (const section of sections)
      for (const [label, line] of linksOf(section).defines) if (!all.has(label)) all.set(label, line)
  return sections.map((section) => {
    if (all.size === 0) return ''
    const { defines, refersTo } = linksOf(section)
    const lines = [...all].filter(([label]) => refersTo.has(label) && !defines.has(label))
    return lines.map(([, line]) => line.trim()).join('\n\n')
  })
}
