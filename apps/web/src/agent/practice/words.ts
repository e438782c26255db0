const STOP_WORDS = new Set(
  'a an the of to in on at for from by with and or is are am be been was were will would can could shall should may might do does did have has had it its this that these those there here what which who whom whose when where why how i me my you your we us our they them their he she his her please tell show give let want need like get got some any all one next now just also then than as so if not no yes hello hi hey thanks thank ok okay about into up out off over'.split(
    ' ',
  ),
)

/** Words that people and tools use for the same thing. */
const SAME = [
  'weather forecast temperature rain sun climate',
  'time clock hour zone',
  'chart graph plot bar diagram',
  'draw paint picture image',
  'note memo',
  'write save store create add',
  'delete remove erase',
  'backup copy',
  'search find look query',
  'list show all',
  'read open load fetch',
  'send post mail',
  'sum add total plus',
  'bread bake',
  'table restaurant dinner book reserve',
  'fail error break',
].map((group) => new Set(group.split(' ').map(stem)))

export function stem(word: string): string {
  const short = word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(s|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')
  return short.length > 5 ? short.replace(/(ing|ed)$/, '') : short
}

/** The words of a text or a name, in any spelling of names, as stems. */
export const wordsOf = (text: string): string[] =>
  (text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)

export const tellingWords = (text: string): string[] => wordsOf(text).filter((word) => !STOP_WORDS.has(word))

/** How well one word stands for another: 1 the same, less for a relative, 0 for a stranger. */
export function kinship(a: string, b: string): number {
  if (a === b) return 1
  return SAME.some((group) => group.has(a) && group.has(b)) ? 0.6 : 0
}
