import { expect, test } from 'vitest'
import { asksForSecret } from './asks-for-secret.ts'

const form = (name: string, field: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: { [name]: { type: 'string', ...field } },
})

const SECRET: [string, unknown, string?][] = [
  ['password', form('password')],
  ['a password in camel case', form('userPassword')],
  ['a password in snake case', form('db_password')],
  ['a password in capitals', form('ROOT_PASSWORD')],
  ['passwd', form('passwd')],
  ['pwd', form('pwd')],
  ['passphrase', form('passphrase')],
  ['passcode', form('field', { title: 'Passcode' })],
  ['a password by its format', form('value', { format: 'password' })],
  ['what is only written', form('value', { writeOnly: true })],
  ['a password in the title', form('a', { title: 'Your account password' })],
  ['a password in the description', form('a', { description: 'The password you use to log in' })],
  ['a password with a hidden character', form('a', { title: 'Pass\u200Bword' })],
  ['a password in look-alike letters', form('a', { title: 'Раsswоrd' })],
  ['a password with signs for letters', form('a', { title: 'P@ssw0rd' })],
  ['a password with accents', form('a', { title: 'Pássword' })],
  ['a German one', form('a', { title: 'Passwort' })],
  ['a Spanish one', form('a', { title: 'Contraseña' })],
  ['a French one', form('a', { title: 'Mot de passe' })],
  ['a Chinese one', form('a', { title: '请输入密码' })],
  ['an API key', form('apiKey')],
  ['an API key in two words', form('a', { title: 'OpenAI API key' })],
  ['an access key', form('aws_secret_access_key')],
  ['a private key', form('a', { description: 'Paste your SSH private key' })],
  ['a token', form('token')],
  ['an access token', form('githubAccessToken')],
  ['a bearer token', form('a', { title: 'Bearer token' })],
  ['a secret', form('client_secret')],
  ['credentials', form('credentials')],
  ['a session cookie', form('a', { title: 'Session cookie' })],
  ['a card', form('cardNumber')],
  ['a card as a number', form('a', { type: 'integer', title: 'Credit card number' })],
  ['a CVV', form('cvv', { type: 'integer' })],
  ['a PIN', form('pin', { type: 'integer' })],
  ['a seed phrase', form('a', { title: 'Wallet seed phrase' })],
  ['a seed in words', form('seed')],
  ['a recovery phrase', form('recovery_phrase')],
  ['a one-time code', form('otp')],
  ['a 2FA code', form('a', { title: '2FA code' })],
  ['a social security number', form('ssn')],
  [
    'one further down',
    { type: 'object', properties: { login: { type: 'object', properties: { pwd: { type: 'string' } } } } },
  ],
  ['one in a list', { type: 'object', properties: { all: { type: 'array', items: form('password') } } }],
  ['a harmless field under a sentence that asks', form('value'), 'Please enter your password to go on.'],
]

const BENIGN: [string, unknown, string?][] = [
  ['a name', form('name')],
  ['an address', form('email', { format: 'email' })],
  ['a date', form('birthdate', { format: 'date' })],
  ['a home page', form('homepage', { format: 'uri' })],
  ['a city', form('city')],
  ['a passenger', form('passengerName')],
  ['a passport country', form('passportCountry')],
  ['a compass', form('compass')],
  ['a passing grade', form('passing_grade')],
  ['a key of music', form('musicalKey')],
  ['a keyword', form('keyword')],
  ['keywords', form('keywords')],
  ['a keyboard', form('keyboardLayout')],
  ['a sort key', form('sort_key')],
  ['a primary key', form('primaryKey')],
  ['the number of tokens', form('maxTokens', { type: 'integer' })],
  ['a token count', form('tokenCount', { type: 'integer' })],
  ['tokens in a description', form('limit', { type: 'integer', description: 'How many tokens at most' })],
  ['a tokenizer', form('tokenizer')],
  ['a secretary', form('secretary')],
  ['a pinned note', form('pinned', { type: 'boolean' })],
  ['a spinning wheel', form('spinning')],
  ['a shopping cart', form('cart')],
  ['a greeting card', form('greetingCard')],
  ['the colour of a card', form('cardColor')],
  ['cardinality', form('cardinality')],
  ['a seed for dice', form('seed', { type: 'integer' })],
  ['a random seed', form('randomSeed', { type: 'number' })],
  ['seeds for a garden', form('seedsToPlant')],
  ['a choice of password managers', form('passwordManager', { enum: ['one', 'two'] })],
  ['a choice with titles', form('password', { oneOf: [{ const: 'a', title: 'Reset it' }] })],
  ['whether to reset a password', form('resetPassword', { type: 'boolean' })],
  [
    'a warning against it',
    form('number', { type: 'integer', description: 'Your favourite (do not give us your pin)' }),
  ],
  ['another warning', form('note', { description: 'Never enter a password here.' })],
  ['a sentence that warns', form('note'), 'Tell us what happened. Never share your password with anybody.'],
  ['a sentence about passwords', form('note'), 'The password policy was changed yesterday. What do you think of it?'],
  ['a postal code', form('postalCode')],
  ['a country code', form('countryCode')],
  ['a coupon', form('couponCode')],
  ['a phone', form('phone')],
  ['an order', form('orderNumber')],
  ['an option', form('option')],
  ['a laptop', form('laptop')],
  ['nothing at all', { type: 'object', properties: {} }],
  ['no schema', undefined],
]

test.each(SECRET)('[A5.1] a form is refused that asks for %s', (_, schema, message) => {
  expect(asksForSecret(schema, message)).toBeTypeOf('string')
})
test.each(BENIGN)('[A5.1] a form is let through that asks for %s', (_, schema, message) => {
  expect(asksForSecret(schema, message)).toBeUndefined()
})
test('[A5.1] there are at least forty of each', () => {
  expect(SECRET.length).toBeGreaterThanOrEqual(40)
  expect(BENIGN.length).toBeGreaterThanOrEqual(40)
})
test('a schema without end is looked at for a moment only', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, { type: 'string' }]))
  expect(asksForSecret({ type: 'object', properties: wide })).toBeUndefined()
})
