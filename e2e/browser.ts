import { existsSync } from 'node:fs';

const debianChromium = '/usr/bin/chromium';
/** Chromium without what draws windows: a quarter less work a journey. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** The browser with a profile of its own; undefined where Playwright brought one. */
export const fullBrowser = [process.env.CHROMIUM_PATH, debianChromium].find((path) => path && existsSync(path));

/** The browser that journeys run in. */
export const browser = fullBrowser === debianChromium && existsSync(headlessShell) ? headlessShell : fullBrowser;
