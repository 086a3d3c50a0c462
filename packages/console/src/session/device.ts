// What a client program is, by what it says of itself. Pure; a guess for people to recognise their own, nothing depends on it.

export interface Device {
  kind: 'computer' | 'phone' | 'program';
  /** `Firefox`; of a program its own word, `curl 8.5.0`. */
  program: string;
  /** `macOS`; null where it does not say. */
  system: string | null;
}

/** In this order: most browsers name others, too. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const systems: [RegExp, string, Device['kind']][] = [
  [/\biPad\b/, 'iPadOS', 'phone'],
  [/\biPhone\b/, 'iOS', 'phone'],
  [/\bAndroid\b/, 'Android', 'phone'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac OS X\b/, 'macOS', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
];
const maxProgramLength = 60;

/** The device of a `User-Agent`; null where there is none. */
export function deviceOf(userAgent: string | null): Device | null {
  if (!userAgent) return null;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) {
    const [program = ''] = userAgent.trim().split(/\s/);
    return { kind: 'program', program: program.replace('/', ' ').slice(0, maxProgramLength), system: null };
  }
  const [, system = null, kind = 'computer'] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  return { kind, program: browser, system };
}
