import { expect, test } from 'vitest'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

test.each([
  ['a directory listing', '[DIR] src\n[FILE] package.json\n[FILE] __init__.py'],
  ['ls -l', 'total 8\ndrwxr-xr-x 2 me me 4096 Jan 1 10:00 src\n-rw-r--r-- 1 me me 12 Jan 1 10:00 *a*'],
  ['a log', '2026-01-01 10:00:00 start\n2026-01-01 10:00:01 read `a`\n2026-01-01 10:00:02 read `b`'],
  ['a stack trace', 'Error: no\n    at run (file.js:1:2)\n    at main (file.js:3:4)'],
  ['Python', 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: no'],
  ['a shell script', '#!/bin/sh\n# copies the files\ncp a b;\n# and the rest\ncp c d;'],
  ['YAML with a comment', '# settings\nname: a\nlist:\n- b\n- c'],
  ['lines', 'one\ntwo\nthree'],
  ['globs', '**/*.ts\n**/*.tsx'],
  ['a word', 'Done'],
])('%s is text', (_what, text) => expect(looksLikeMarkdown(text)).toBe(false))

test.each([
  ['a document', '# Title\n\nSome **bold** words.'],
  ['a fence', 'Like this:\n\n```js\nlet a = 1\n```'],
  ['a table', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  ['a list with links', '- [One](https://a.example)\n- [Two](https://b.example)'],
  ['one line with a mark', 'Made **issue** 7'],
  ['marked prose', 'Use `npm start` and then **wait**.'],
])('%s is Markdown', (_what, text) => expect(looksLikeMarkdown(text)).toBe(true))
