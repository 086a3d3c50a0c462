// Where the journeys find a browser, and how one gets there.
import { existsSync } from 'node:fs';
import { run } from './run.mjs';

export const browserInstallLine =
  'apt-get -o DPkg::Lock::Timeout=600 update && apt-get install -y --no-install-recommends chromium chromium-headless-shell';

/** Path of a Chromium: CHROMIUM_PATH, the system's, or the one Playwright downloaded; undefined when there is none. */
export async function findBrowser() {
  const { chromium } = await import('@playwright/test');
  return [process.env.CHROMIUM_PATH, '/usr/bin/chromium', chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
}

/** Installs Chromium where that can be done unasked: as root on Debian and its like. */
export async function installBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing a browser: ${browserInstallLine}`);
  await run(['sh', '-c', browserInstallLine], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}
