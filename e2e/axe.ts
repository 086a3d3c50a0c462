// What axe finds wrong with a page as it stands.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const unfinished = '[aria-busy="true"], [class*="Skeleton-root"]';

/**
 * Waits until the page shows what it was waiting for, and fails with what axe finds then, and where. Frames that may run
 * nothing, as the preview of a mail, are left out.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await expect(page.locator(unfinished), name).toHaveCount(0);
  // Colours half-way through a change would be measured as they are just then.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );
  // All is in one document: no second page is needed to put frames together.
  const axe = new AxeBuilder({ page }).exclude('iframe[sandbox]').setLegacyMode();
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
  expect([name, found]).toEqual([name, []]);
}
