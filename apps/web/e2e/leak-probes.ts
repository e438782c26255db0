/**
 * Every way that a page could tell somebody something, as a script with `to`, the address of a trap, and `add(tag, props)`. Each
 * does no more than begin: whether anybody was told, the traps know.
 */
export const probes = {
  fetch: `fetch(to, { mode: 'no-cors' })`,
  'fetch keepalive': `fetch(to, { mode: 'no-cors', method: 'POST', keepalive: true, body: 'x' })`,
  xhr: `const x = new XMLHttpRequest(); x.open('GET', to); x.send()`,
  beacon: `navigator.sendBeacon(to, 'x')`,
  websocket: `new WebSocket(to.replace('http', 'ws'))`,
  'event source': `new EventSource(to)`,
  img: `new Image().src = to`,
  srcset: `add('img', { srcset: to + ' 2x' })`,
  'svg image': `document.body.insertAdjacentHTML('beforeend', '<svg width=9 height=9><image width=9 height=9 href="' + to + '"/></svg>')`,
  audio: `add('audio', { src: to, preload: 'auto' }).load()`,
  video: `add('video', { src: to, preload: 'auto' }).load()`,
  poster: `add('video', { poster: to })`,
  track: `const v = add('video', { crossorigin: 'anonymous' }); const t = document.createElement('track'); t.src = to; t.default = true; v.append(t); t.track.mode = 'showing'`,
  'input image': `add('input', { type: 'image', src: to })`,
  'style sheet': `add('link', { rel: 'stylesheet', href: to })`,
  'css import': `add('style', { textContent: '@import "' + to + '";' })`,
  'css background': `add('div', { textContent: 'b', style: 'width:9px;height:9px;background:url(' + to + ')' })`,
  font: `add('style', { textContent: '@font-face{font-family:leak;src:url(' + to + ')}' }); add('p', { textContent: 'font', style: 'font-family:leak' })`,
  'font face': `new FontFace('leaks', 'url(' + to + ')').load().catch(() => {})`,
  script: `add('script', { src: to })`,
  module: `add('script', { type: 'module', textContent: 'import "' + to + '"' })`,
  import: `import(to).catch(() => {})`,
  worker: `new Worker(URL.createObjectURL(new Blob(['fetch("' + to + '", { mode: "no-cors" })'])))`,
  worklet: `new AudioContext().audioWorklet.addModule(to).catch(() => {})`,
  iframe: `add('iframe', { src: to })`,
  'srcdoc frame': `add('iframe', { srcdoc: '<img src="' + to + '">' })`,
  'frame of a frame': `const f = add('iframe', {}); f.contentWindow.location = to`,
  object: `add('object', { data: to })`,
  embed: `add('embed', { src: to })`,
  form: `add('iframe', { name: 'leak' }); add('form', { action: to, target: 'leak', method: 'post' }).submit()`,
  ping: `const a = add('a', { href: '#here', ping: to }); a.click()`,
  'link prefetch': `add('link', { rel: 'prefetch', href: to })`,
  'link preload': `add('link', { rel: 'preload', as: 'image', href: to })`,
  'link modulepreload': `add('link', { rel: 'modulepreload', href: to })`,
  'link manifest': `add('link', { rel: 'manifest', href: to })`,
  'link icon': `add('link', { rel: 'icon', href: to })`,
  'link dns-prefetch': `add('link', { rel: 'dns-prefetch', href: to })`,
  'speculation rules': `add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [to], eagerness: 'immediate' }] }) })`,
  'service worker': `navigator.serviceWorker.register(to).catch(() => {})`,
  preconnect: `add('link', { rel: 'preconnect', href: to })`,
  webrtc: `const rtc = new RTCPeerConnection({ iceServers: [{ urls: to.replace('http://', 'stun:').replace(/\\/.*/, '') }, { urls: to.replace('http://', 'turn:').replace(/\\/.*/, '') + '?transport=tcp', username: 'u', credential: 'c' }] })
    rtc.createDataChannel('leak'); rtc.createOffer().then((offer) => rtc.setLocalDescription(offer))`,
  webtransport: `new WebTransport(to.replace('http:', 'https:')).ready.catch(() => {})`,
} as const
export type Probe = keyof typeof probes
export const probeNames = Object.keys(probes) as Probe[]

/** Ways out that leave the page behind, or hide it, and so have a page each. */
export const departures = {
  'window.open': `window.open(to)`,
  location: `location = to`,
  'location.replace': `location.replace(to)`,
  'meta refresh': `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=' + to + '">')`,
  link: `add('a', { href: to }).click()`,
} as const
export type Departure = keyof typeof departures
export const departureNames = Object.keys(departures) as Departure[]

/** A script that tries them, each at its own trap, and none stopped by another's failure. */
export function tryAll(scripts: Readonly<Record<string, string>>, ports: Readonly<Record<string, number>>): string {
  const calls = Object.entries(scripts).map(
    ([name, script]) => `attempt(${JSON.stringify(`http://127.0.0.1:${ports[name]}/leak`)}, (to) => { ${script} })`,
  )
  return `
addEventListener('unhandledrejection', (event) => event.preventDefault())
const add = (tag, props) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(props))
    if (name === 'textContent') made.textContent = value
    else made.setAttribute(name, value)
  document.body.append(made)
  return made
}
const attempt = (to, script) => { try { script(to) } catch {} }
${calls.join('\n')}`
}
