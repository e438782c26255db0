type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names of what nobody should type into a stranger's form, after letters of one kind and words apart. */
const SECRETS = [
  /\bpass ?(word|wd|phrase|code|key)s?\b/,
  /\b(pwd|passwd|passwort|kennwort|contrasena|senha|wachtwoord|parola|haslo|mot de passe)\b/,
  /пароль|密码|密碼|パスワード|비밀번호|كلمة المرور|סיסמה/,
  /\bp ?i ?n( ?(code|number))?\b/,
  /\bsecrets?\b/,
  /\b(api|access|private|secret|ssh|encryption|signing|master|account|auth|service|recovery|backup|wallet|gpg|pgp) ?keys?\b|\bapikeys?\b|\bpem\b/,
  /\b(access|auth|authentication|authorization|bearer|refresh|session|id|api|personal access|security|bot|github|gitlab|slack|csrf|user|login|oauth|jwt) ?tokens?\b|\btoken\b(?! ?(count|limit|budget|s\b|usage|length|window|estimate))/,
  /\bjwt\b|\bbearer\b|\b(session )?cookies?\b|\bsession id\b/,
  /\bcredentials?\b/,
  /\b(credit|debit|bank|payment) ?cards?\b|\bcard ?(number|no|num|holder|details)\b|\bcc ?(number|num|no)\b|\bpan\b|\bcvv2?\b|\bcvc2?\b|\bcsc\b|\b(security|verification) (code|value)\b/,
  /\b(seed|recovery|secret|backup|mnemonic) ?(phrase|words?|codes?)\b|\bmnemonics?\b|\b(wallet|private) seed\b/,
  /\botp\b|\btotp\b|\b(one time|2fa|mfa|two factor|authenticator|authentication|auth|login|sms|verification|confirmation) (code|password|pin)\b/,
  /\b(ssn|social security)( number| no)?\b/,
  /\bsecurity (answer|question)\b|\bmother s maiden name\b/,
]
/** Words that ask for one in the sentence above the form, where a field gives itself a harmless name. */
const ASKS = /\b(enter|type|provide|give|paste|confirm|submit|send|share|tell|fill in|need|supply|input)\b/

/** What makes words look different and read the same: case, accents, hidden characters, camelCase, joints. */
function plain(text: string): string {
  return text
    .slice(0, 2_000)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Letters of other alphabets, and signs, that are read as ours. */
const READ_AS: Record<string, string> = {
  a: 'аɑ@4',
  b: 'в',
  c: 'сϲ',
  d: 'ԁ',
  e: 'её3',
  i: 'іι1!',
  k: 'кκ',
  n: 'ո',
  o: 'оο0',
  p: 'рρ',
  s: 'ѕ$5',
  t: 'т7',
  x: 'х',
  y: 'у',
}
const LOOKS = new Map(
  Object.entries(READ_AS).flatMap(([one, many]) => Array.from(many, (letter) => [letter, one] as const)),
)
const unmasked = (text: string): string =>
  Array.from(text.toLowerCase(), (letter) => LOOKS.get(letter) ?? letter).join('')

const namesSecret = (text: string): boolean => {
  const forms = [plain(text), plain(unmasked(text))]
  return SECRETS.some((secret) => forms.some((form) => secret.test(form)))
}

/** Words that ask for none, or warn of it. */
const FORBIDS =
  /\b(do not|don t|never|dont|must not|should not|please no|no) (\w+ ){0,3}?(give|enter|share|send|type|provide|include|tell|put|use|post|reveal|ask|store|need|save)\b/
const clauses = (text: string): string[] => text.split(/[.!?;()\n]/).filter((clause) => !FORBIDS.test(plain(clause)))

/** Whether what is typed there could be one: what is only chosen cannot. */
function isTyped(field: Json): boolean {
  const { type, enum: choices, const: fixed, oneOf } = field
  if (choices !== undefined || fixed !== undefined) return false
  if (Array.isArray(oneOf) && oneOf.every((choice) => isObject(choice) && 'const' in choice)) return false
  return type !== 'boolean' && type !== 'null'
}

const isNumber = ({ type }: Json): boolean => type === 'integer' || type === 'number'

function asks(name: string, field: Json): boolean {
  if (!isTyped(field)) return false
  const { title, description, format, writeOnly } = field
  if (format === 'password' || writeOnly === true) return true
  // A seed for dice is a number; one for a wallet is words.
  if (!isNumber(field) && /^(my |your |the )?seed$/.test(plain(name))) return true
  if ([name, title, format].some((words) => typeof words === 'string' && namesSecret(words))) return true
  return typeof description === 'string' && clauses(description).some(namesSecret)
}

const DEEPEST = 6
const MOST_FIELDS = 500

/**
 * The field of a form that wants a secret typed into it: a password, a key, a card, the words of a wallet. Undefined where none
 * does. It is a look at words: a form that passes is not safe by that, and the user sees who asks.
 */
export function asksForSecret(schema: unknown, message = ''): string | undefined {
  let left = MOST_FIELDS
  let hasText = false
  const look = (name: string, field: unknown, depth: number): string | undefined => {
    if (!isObject(field) || depth > DEEPEST || left-- <= 0) return undefined
    const nested = Object.entries(isObject(field['properties']) ? field['properties'] : {})
    if (name !== '' && nested.length === 0) {
      if (asks(name, field)) return name
      hasText ||= isTyped(field) && !isNumber(field)
    }
    for (const [key, part] of nested) {
      const found = look(key, part, depth + 1)
      if (found !== undefined) return found
    }
    for (const key of ['items', 'anyOf', 'oneOf', 'allOf'] as const) {
      const parts = field[key]
      for (const part of (Array.isArray(parts) ? parts : [parts]) as unknown[]) {
        const found = isObject(part) && !('const' in part) ? look(name, part, depth + 1) : undefined
        if (found !== undefined) return found
      }
    }
    return undefined
  }
  const found = look('', schema, 0)
  if (found !== undefined || !hasText) return found
  return clauses(message).some((clause) => ASKS.test(plain(clause)) && namesSecret(clause))
    ? 'the sentence above the form'
    : undefined
}
