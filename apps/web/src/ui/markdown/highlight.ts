import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = { bash, css, diff, go, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

/** A stretch of code, and what it is: keyword, string, comment … */
export type Token = string | { scope?: string; children: Token[] }

/** Code as a tree of tokens, which the page draws as text in spans; undefined where the language is not known. */
export function highlight(code: string, language: string): Token | undefined {
  if (!highlighter.getLanguage(language)) return undefined
  const { _emitter: emitter } = highlighter.highlight(code, { language, ignoreIllegals: true })
  return (emitter as unknown as { rootNode: Token }).rootNode
}
