const NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/
/** What the browser, the app, the companion or the settings say themselves, and what would change who is asked for what. */
const RESERVED =
  /^(accept|accept-.*|authorization|host|origin|referer|cookie2?|set-cookie|connection|keep-alive|date|dnt|expect|te|trailer|transfer-encoding|upgrade|via|forwarded|permissions-policy|content-.*|access-control-.*|proxy-.*|sec-.*|mcp-.*|x-switchboard-.*|x-forwarded-.*|x-http-method.*|x-method-override)$/i

/** Whether an argument may travel as this header. */
export const isSafeHeader = (name: string): boolean => NAME.test(name) && !RESERVED.test(name)

/** Whether a header can carry this value: a line break would begin another header. */
export const isHeaderValue = (value: string): boolean => /^[\x20-\x7e\x80-\xff]*$/.test(value)
