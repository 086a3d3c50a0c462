// What the console asks of a browser, where its pages are drawn without one. Imported before everything else, as some modules
// ask while they are read. There is no `window`: by that libraries tell that nothing will move.

/** The browser a page is drawn for, as it tells of itself. */
export interface Browser {
  /** As `document.cookie` has them. */
  cookie: string;
  /** The address of the page. */
  location: Pick<URL, 'origin' | 'pathname' | 'search'>;
  /** The nonce of the page's content security policy. */
  nonce: string;
  /** What `/console.json` answers, as the page has it. */
  settings: string;
  /** The language of its own words. */
  language: string;
  /** Those its reader prefers. */
  languages: readonly string[];
  platform: string;
  /** Width of its window in pixels. */
  width: number;
  /** The zone its clock is in. */
  timeZone: string;
  /** What it keeps for this console. */
  stored: ReadonlyMap<string, string>;
}

let browser: Browser = {
  cookie: '',
  location: { origin: '', pathname: '/', search: '' },
  nonce: '',
  settings: 'null',
  language: 'en',
  languages: ['en'],
  platform: '',
  width: 1280,
  timeZone: 'UTC',
  stored: new Map(),
};

/** From here on pages are drawn for this browser. */
export const setBrowser = (next: Browser): void => {
  browser = next;
};

const define = (name: string, value: () => unknown) =>
  Object.defineProperty(globalThis, name, { get: value, configurable: true });

const document = {
  documentElement: {},
  getElementById: (id: string) => (id === 'console-settings' ? { textContent: browser.settings, remove() {} } : null),
  querySelector: (selector: string) => (selector.includes('csp-nonce') ? { nonce: browser.nonce } : null),
  get cookie() {
    return browser.cookie;
  },
  // A page that is drawn changes nothing.
  set cookie(_value: string) {},
};
const storage = { getItem: (key: string) => browser.stored.get(key) ?? null, setItem() {}, removeItem() {} };
const noStorage = { getItem: () => null, setItem() {}, removeItem() {} };
const navigator = {
  get language() {
    return browser.language;
  },
  get languages() {
    return browser.languages;
  },
  get platform() {
    return browser.platform;
  },
};

define('document', () => document);
define('localStorage', () => storage);
define('sessionStorage', () => noStorage);
define('navigator', () => navigator);
define('innerWidth', () => browser.width);
define('location', () => browser.location);
// There are no other tabs to listen to.
define('BroadcastChannel', () => undefined);

const { DateTimeFormat } = Intl;
Intl.DateTimeFormat = class extends DateTimeFormat {
  constructor(language?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
    super(language, { timeZone: browser.timeZone, ...options });
  }
} as typeof DateTimeFormat;
