// The options of SOAP clients of PHP that count here: where calls go, how one signs in, how long a call takes.
import { validateHeaderValue } from 'node:http';
import { fail } from '@sluice/contract';
import { basicOf } from '../../fetch/open.ts';

export interface SoapOptions {
  location: URL | undefined;
  uri: string | undefined;
  isSoap12: boolean | undefined;
  /** By lower-case name, for the WSDL and for calls. */
  headers: Map<string, string>;
  /** Milliseconds. */
  connectTimeout: number;
  totalTimeout: number;
}

const usualTimeout = 60_000;
const usualConnectTimeout = 10_000;
/** Seconds. */
const longest = 600;

/** What PHP's client has for itself, or what is so here anyway. */
const withoutEffect = new Set([
  ...['trace', 'exceptions', 'cache_wsdl', 'keep_alive', 'features', 'encoding', 'compression', 'style', 'use'],
  'authentication',
]);

/** Throws `remote.badOption` for an option that is not known, or has a value that it does not take. */
export function readOptions(options: Record<string, unknown>): SoapOptions {
  const read: SoapOptions = {
    ...{ location: undefined, uri: undefined, isSoap12: undefined, headers: new Map() },
    ...{ connectTimeout: usualConnectTimeout, totalTimeout: usualTimeout },
  };
  const login: Record<string, string> = {};
  for (const [name, given] of Object.entries(options)) {
    const value = String(given ?? '').trim();
    if (value === '' || withoutEffect.has(name)) continue;
    const bad = () => fail('remote.badOption', { name });
    if (name === 'location') read.location = addressOf(value, bad);
    else if (name === 'uri' && /^[^\s"'<>&]{1,1000}$/.test(value)) read.uri = value;
    else if (name === 'soap_version' && /^(1|2|SOAP_1_1|SOAP_1_2|1\.1|1\.2)$/.test(value))
      read.isSoap12 = value.endsWith('2');
    else if (name === 'login' || name === 'password') login[name] = String(given);
    else if (name === 'user_agent') read.headers.set('user-agent', headerValue(value, bad));
    else if (name === 'connection_timeout') read.connectTimeout = millisecondsOf(value, bad);
    else if (name === 'timeout') read.totalTimeout = millisecondsOf(value, bad);
    else throw bad();
  }
  if (login.login !== undefined) read.headers.set('authorization', basicOf(`${login.login}:${login.password ?? ''}`));
  return read;
}

function addressOf(text: string, bad: () => Error): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw bad();
  return url;
}

function headerValue(text: string, bad: () => Error): string {
  try {
    validateHeaderValue('user-agent', text);
    return text;
  } catch {
    throw bad();
  }
}

function millisecondsOf(text: string, bad: () => Error): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= longest)) throw bad();
  return Math.ceil(seconds * 1000);
}
