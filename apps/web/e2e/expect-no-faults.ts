import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** What the theme decides; the rest is the same in both. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Axe finds nothing on what is shown now, in light and in dark. Each fault is told as its rule and the place. */
export async function expectNoFaults(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await test.step(`${screen}, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      // Its own second page would be in another window of the same browser; one page is enough here. What is in a frame is not ours.
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], iframes: false })
      if (colorScheme === 'dark') axe.withRules(COLOURS)
      const { violations } = await axe.analyze()
      const faults = violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}\n${failureSummary}`),
      )
      expect.soft(faults, `${screen}, ${colorScheme}`).toEqual([])
    })
  }
}

/** What fades in has its contrast at the end. */
const settled = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  )
