import { type Browser, chromium } from 'playwright'

/** The system's Chromium. */
export async function launchChromium(): Promise<Browser> {
  const { chromiumFlags, findChromium } = (await import(
    new URL('../../../scripts/chromium.mjs', import.meta.url).href
  )) as { chromiumFlags: string[]; findChromium(): string | undefined }
  const executablePath = findChromium()
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags })
}
