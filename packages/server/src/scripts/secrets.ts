// What scripts know and nobody else may read in logs, lists of runs and messages: credentials of the call, and what an event
// carries under the names of secrets.
import type { Call } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';

/** Shorter ones would hide parts of common words. */
const minLength = 4;
/** Values of an event that are looked at. */
const maxValues = 20_000;

/** Fields and headers that hold secrets. */
const secretName =
  /^(authorization|proxy-authorization|cookie|set-cookie|security_answer|confirm_code)$|(passwo?r?d|passphrase|secret|token|(api|private|secret|access)[-_]?key|session_?id)$/i;

const mask = '**********';

/** Hides secrets in texts; they are only gathered once there is a text. */
export type HideSecrets = (text: string) => string;

/** What lets others call as the caller of a call, as it was sent and as it is known. */
export function credentialTexts({ caller, credentials }: Pick<Call, 'caller' | 'credentials'>): string[] {
  const { apiKey, token, basic } = credentials;
  const login = basic && Buffer.from(`${basic.login}:${basic.password}`).toString('base64');
  return [caller.app?.apiKey, caller.token?.text, apiKey, token, basic?.password, login].filter(
    (text): text is string => text !== undefined && text !== '',
  );
}

/** For a run: the secrets of its call and event, and more that its script was given. */
export function createHideSecrets(
  call: Pick<Call, 'caller' | 'credentials'>,
  event: unknown,
  more: readonly string[] = [],
): HideSecrets {
  let secrets: string[] | undefined;
  const gather = (): string[] => {
    const found = new Set<string>();
    for (const text of [...credentialTexts(call), ...more, ...secretsIn(event)]) {
      if (text.length < minLength) continue;
      // Also as it is within JSON that was printed, and within a body in that.
      const escaped = escapeJson(text);
      for (const form of [text, escaped, escapeJson(escaped)]) found.add(form);
    }
    return [...found].sort((a, b) => b.length - a.length);
  };
  return (text) => {
    secrets ??= gather();
    return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, mask), text);
  };
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Hides secrets in all texts of a JSON value. */
export function hideInValue(value: unknown, hide: HideSecrets): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => hideInValue(item, hide));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hideInValue(item, hide)]));
}

/** Texts below names of secrets. */
function secretsIn(event: unknown): string[] {
  const found: string[] = [];
  let count = 0;
  const walk = (value: unknown, isSecret: boolean): void => {
    count += 1;
    if (count > maxValues) return;
    if (typeof value === 'string') {
      if (isSecret) found.push(...secretParts(value));
    } else if (Array.isArray(value)) for (const item of value) walk(item, isSecret);
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) walk(item, secretName.test(name));
  };
  walk(event, false);
  return found;
}

/** Of a header such as `Basic …` the credentials alone, too; the login in front of them is no secret. */
function secretParts(text: string): string[] {
  const [, scheme = '', credentials] = /^(basic|bearer)\s+(\S+)\s*$/i.exec(text) ?? [];
  if (credentials === undefined) return [text];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString('utf8') : '';
  return [text, credentials, decoded.slice(decoded.indexOf(':') + 1)];
}
