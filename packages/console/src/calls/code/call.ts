// A call of the API as it is written in a program. Pure.

/** Who a call says it is. A session's token is never written: a variable stands for it. */
export interface Credential {
  /** Key of an app. */
  apiKey?: string | undefined;
  /** What stands where the person's token goes; absent for a call without a person. */
  tokenHint?: string | undefined;
}

export interface ApiCall {
  /** The whole address without a query; its segments are encoded. */
  address: string;
  /** In order, not encoded. */
  query?: readonly (readonly [name: string, value: string])[];
  credential: Credential;
  /** JSON to send. */
  body?: string;
  /** The name of a file to send as it is, in place of a body. */
  file?: string;
  /** Absent: POST with a body, else GET. */
  verb?: string;
}

export const keyHeader = 'X-DreamFactory-API-Key';
export const tokenHeader = 'X-DreamFactory-Session-Token';

export const verbOf = ({ verb, body, file }: ApiCall): string =>
  verb ?? (body === undefined && file === undefined ? 'GET' : 'POST');

/** The headers with a fixed value; the one with the token is each language's own. */
export const headersOf = ({ credential, body, file }: ApiCall): [name: string, value: string][] => [
  ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
  ...(file === undefined ? [] : [['Content-Type', 'application/octet-stream'] as [string, string]]),
  ...(credential.apiKey ? [[keyHeader, credential.apiKey] as [string, string]] : []),
];

/** Half a character has no UTF-8: it would stop the call before it is made. */
export const withoutLoneSurrogates = (text: string): string => text.replace(/\p{Surrogate}/gu, '\u{FFFD}');

/** A segment of an address. */
export const encodeSegment = (name: string): string => encodeURIComponent(withoutLoneSurrogates(name));

/** A text for a shell: what stands between single quotes stays as it is. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text for JavaScript and Python: the escapes of JSON mean the same in both. */
export const quoteString = (text: string): string => (/['\\\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`);
