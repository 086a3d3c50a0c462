// The options of `platform.api`: `{headers, parameters}`; without either, all of it is headers (Node.js, Python) or curl options by
// name or number (V8js, PHP; contract/event-scripts-and-script-services.md §4). Of curl, what this list has.
import { fail, verbs } from '@sluice/contract';
import { isRecord, stringifyInput } from '../call/payload.ts';
import { basicOf } from '../fetch/open.ts';

export interface ApiOptions {
  /** By lower-case name. */
  headers: Map<string, string>;
  parameters: Map<string, string>;
  verb?: string;
  /** In place of the payload of the call. */
  payload?: unknown;
  /** Milliseconds. */
  totalTimeout?: number;
  connectTimeout?: number;
  maxRedirects?: number;
  /** Set where an option says so, either way. */
  followsRedirects?: boolean;
}

export function readApiOptions(options: unknown): ApiOptions {
  const read: ApiOptions = { headers: new Map(), parameters: new Map() };
  if (!isRecord(options)) return read;
  if (isRecord(options.headers) || isRecord(options.parameters)) {
    addTexts(read.parameters, options.parameters, (name) => name);
    addTexts(read.headers, options.headers, lowerCase);
  } else if (Object.keys(options).some((name) => isCurlName(name))) return readCurlOptions(options);
  else addTexts(read.headers, options, lowerCase);
  return read;
}

/** Curl options by their names. Throws `script.curlOption` for one that is not of the list. */
export function readCurlOptions(options: Record<string, unknown>): ApiOptions {
  const read: ApiOptions = { headers: new Map(), parameters: new Map() };
  for (const [name, value] of Object.entries(options)) applyCurlOption(read, name, value);
  return read;
}

const lowerCase = (name: string): string => name.toLowerCase();

function addTexts(texts: Map<string, string>, values: unknown, nameOf: (name: string) => string): void {
  if (!isRecord(values)) return;
  for (const [name, value] of Object.entries(values)) texts.set(nameOf(name), stringifyInput(value));
}

/** `CURLOPT_TIMEOUT`, or 13: what PHP's constants are. */
const isCurlName = (name: string): boolean => name.startsWith('CURLOPT_') || /^\d+$/.test(name);

type CurlOption = [name: string, number: number, apply: (read: ApiOptions, value: unknown, name: string) => void];

const seconds = (value: unknown): number => Math.max(0, Number(value) || 0) * 1_000;
/** Of a time, 0 means that there is none. */
const timeout = (field: 'totalTimeout' | 'connectTimeout', unit: (value: unknown) => number) => {
  return (read: ApiOptions, value: unknown) => {
    const time = unit(value);
    if (time > 0) read[field] = time;
  };
};
const header =
  (name: string, textOf = stringifyInput) =>
  (read: ApiOptions, value: unknown): void =>
    void read.headers.set(name, textOf(value));
const verbIf =
  (verb: string) =>
  (read: ApiOptions, value: unknown): void => {
    if (isOn(value)) read.verb = verb;
  };
const isOn = (value: unknown): boolean => value !== false && value !== 0 && value !== '' && value !== null;
/** Of no effect here; any other value would be one that is refused. */
const only =
  (isFine: (value: unknown) => boolean) =>
  (_read: ApiOptions, value: unknown, name: string): void => {
    if (!isFine(value)) throw fail('script.curlOption', { name });
  };

/** Verbs that calls to other servers may have. */
export const outsideVerbs: readonly string[] = [...verbs, 'HEAD', 'OPTIONS'];

/** https://curl.se/libcurl/c/curl_easy_setopt.html; the numbers are those of curl.h, which PHP's constants have. */
const curlOptions: readonly CurlOption[] = [
  ['CURLOPT_HTTPHEADER', 10023, addHeaderLines],
  ['CURLOPT_USERPWD', 10005, header('authorization', (value) => basicOf(stringifyInput(value)))],
  ['CURLOPT_XOAUTH2_BEARER', 10220, header('authorization', (value) => `Bearer ${stringifyInput(value)}`)],
  ['CURLOPT_USERAGENT', 10018, header('user-agent')],
  ['CURLOPT_REFERER', 10016, header('referer')],
  ['CURLOPT_COOKIE', 10022, header('cookie')],
  ['CURLOPT_TIMEOUT', 13, timeout('totalTimeout', seconds)],
  ['CURLOPT_TIMEOUT_MS', 155, timeout('totalTimeout', Number)],
  ['CURLOPT_CONNECTTIMEOUT', 78, timeout('connectTimeout', seconds)],
  ['CURLOPT_CONNECTTIMEOUT_MS', 156, timeout('connectTimeout', Number)],
  [
    'CURLOPT_CUSTOMREQUEST',
    10036,
    (read, value) => {
      read.verb = stringifyInput(value).toUpperCase();
    },
  ],
  ['CURLOPT_HTTPGET', 80, verbIf('GET')],
  ['CURLOPT_POST', 47, verbIf('POST')],
  ['CURLOPT_PUT', 54, verbIf('PUT')],
  ['CURLOPT_NOBODY', 44, verbIf('HEAD')],
  [
    'CURLOPT_POSTFIELDS',
    10015,
    (read, value) => {
      read.payload = value;
    },
  ],
  [
    'CURLOPT_FOLLOWLOCATION',
    52,
    (read, value) => {
      read.followsRedirects = isOn(value);
      if (!isOn(value)) read.maxRedirects = 0;
    },
  ],
  [
    'CURLOPT_MAXREDIRS',
    68,
    (read, value) => {
      const count = Number(value);
      if (Number.isInteger(count) && count >= 0) read.maxRedirects = Math.min(count, read.maxRedirects ?? count);
    },
  ],
  ['CURLOPT_RETURNTRANSFER', 19913, () => {}],
  ['CURLOPT_ENCODING', 10102, () => {}],
  ['CURLOPT_ACCEPT_ENCODING', 10102, () => {}],
  ['CURLOPT_HEADER', 42, only((value) => !isOn(value))],
  // Certificates are checked in any case.
  ['CURLOPT_SSL_VERIFYPEER', 64, only(isOn)],
  ['CURLOPT_SSL_VERIFYHOST', 81, only(isOn)],
  ['CURLOPT_HTTPAUTH', 107, only((value) => value === 1 || value === 'CURLAUTH_BASIC')],
];

const curlOptionsByName = new Map(
  curlOptions.flatMap((option) => [
    [option[0], option],
    [String(option[1]), option],
  ]),
);

function applyCurlOption(read: ApiOptions, name: string, value: unknown): void {
  const option = curlOptionsByName.get(name);
  if (!option) throw fail('script.curlOption', { name });
  option[2](read, value, option[0]);
}

/** `['Name: value']`, as curl takes them, or `{Name: value}`. */
function addHeaderLines({ headers }: ApiOptions, value: unknown): void {
  if (isRecord(value)) addTexts(headers, value, lowerCase);
  for (const line of Array.isArray(value) ? value.map(stringifyInput) : []) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}
