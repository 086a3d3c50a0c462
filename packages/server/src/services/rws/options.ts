// The options of curl that a remote web service takes: how one signs in, how long a call takes, whether redirects are followed.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { fail } from '@sluice/contract';
import { type ApiOptions, readCurlOptions } from '../../scripts/api-options.ts';
import { isOfConnection } from './request.ts';

const maxRedirects = 5;

/** Options that say what is called, which the caller does. */
const ofCaller = new Set([
  ...['CURLOPT_CUSTOMREQUEST', 'CURLOPT_HTTPGET', 'CURLOPT_POST', 'CURLOPT_PUT', 'CURLOPT_NOBODY'],
  'CURLOPT_POSTFIELDS',
]);

/** Throws `remote.badOption` where an option is none of those that calls take, or has a value that they do not take. */
export function readOptions(options: Record<string, unknown>): ApiOptions {
  const read: ApiOptions = { headers: new Map(), parameters: new Map() };
  for (const [name, value] of Object.entries(options)) {
    if (!/^CURLOPT_/.test(name) || ofCaller.has(name)) throw fail('remote.badOption', { name });
    try {
      const one = readCurlOptions({ [name]: optionValue(name, value) });
      for (const [header, text] of one.headers) {
        validateHeaderName(header);
        validateHeaderValue(header, text);
        if (!isOfConnection(header)) read.headers.set(header, text);
      }
      Object.assign(read, { ...one, headers: read.headers });
    } catch (cause) {
      throw fail('remote.badOption', { name }, { cause });
    }
  }
  return read;
}

/** Forms have texts: those that stand for flags are such, headers are lines. */
function optionValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (name === 'CURLOPT_HTTPHEADER') return text.split(/\r?\n/);
  if (name === 'CURLOPT_HTTPAUTH') return text === '1' ? 1 : text;
  if (/TIMEOUT|REDIRS|USER|COOKIE|REFERER|BEARER/.test(name)) return text;
  return flags.get(text.toLowerCase()) ?? text;
}

const flags = new Map([
  ...(['true', '1'] as const).map((text) => [text as string, true] as const),
  ...(['false', '0'] as const).map((text) => [text as string, false] as const),
]);

/** As with curl, redirects are only followed where an option says so. */
export const limitsOf = ({
  followsRedirects,
  maxRedirects: most = maxRedirects,
  totalTimeout,
  connectTimeout,
}: ApiOptions) => ({
  maxRedirects: followsRedirects ? Math.min(most, maxRedirects) : 0,
  ...(totalTimeout === undefined ? {} : { totalTimeout }),
  ...(connectTimeout === undefined ? {} : { connectTimeout }),
});
