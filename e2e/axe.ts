// The accessibility problems that axe finds in a page.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const unfinished = '[aria-busy="true"], [class*="Skeleton-root"]';

/**
 * Waits until the page has loaded its data, and fails with what axe finds then, and where. Frames that may run no scripts,
 * such as the preview of a mail, are left out.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await expect(page.locator(unfinished), name).toHaveCount(0);
  // Colours would be measured in the middle of an animation.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );
  // Everything is in one document: no second page is needed to combine frames.
  const axe = new AxeBuilder({ page }).exclude('iframe[sandbox]').setLegacyMode();
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  const problems = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
  expect([name, problems]).toEqual([name, []]);
}
