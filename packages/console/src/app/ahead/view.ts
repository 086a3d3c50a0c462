// The cookie by which a page can be drawn for this browser before its scripts are there: how wide its window is, its zone and
// languages, and what it keeps that changes what pages look like. Nothing secret, and nothing the server decides by.
import type { Browser } from './browser.ts';

type View = Pick<Browser, 'language' | 'languages' | 'platform' | 'width' | 'timeZone' | 'stored'>;

const cookieName = 'SluiceView';
const lifetime = 400 * 24 * 3600;
/** More characters than this would cost every request more than the page gains. */
const maxLength = 2000;
const maxLanguages = 3;
const shownKeys = /^sluice\.(language|density|rail|list-frame|columns\..+|steps-hidden\..+)$/;

/** Keeps the cookie true while the console is open: now, and whenever the page is left. */
export const keepViewCookie = (): void => {
  const { language, platform } = navigator;
  const languages = navigator.languages.slice(0, maxLanguages);
  const write = () => {
    const stored = Object.keys(localStorage)
      .filter((key) => shownKeys.test(key))
      .map((key) => [key, localStorage.getItem(key)]);
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const view = [innerWidth, timeZone, platform, language, languages, stored];
    const value = encodeURIComponent(JSON.stringify(view));
    const age = value.length > maxLength ? 0 : lifetime;
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in plain http and in some browsers we support.
    document.cookie = `${cookieName}=${age && value}; Path=/; SameSite=Strict; Max-Age=${age}${secure}`;
  };
  setTimeout(write, settleTime);
  addEventListener('pagehide', write);
};
/** By then a list is measured. */
const settleTime = 1000;

/** What the cookie says, where it can be drawn by. Throws on what no console has written. */
export const readView = (cookie: string): View | undefined => {
  const text = cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
  if (!text) return undefined;
  const [width, timeZone, platform, language, languages, stored] = JSON.parse(decodeURIComponent(text));
  // Both throw where they name nothing that there is.
  new Intl.DateTimeFormat(language, { timeZone });
  return {
    width: Number(width),
    timeZone,
    platform: String(platform),
    language,
    languages: languages.map(String),
    stored: new Map(stored),
  };
};
