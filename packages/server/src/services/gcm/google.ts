// Google's push service. With a service account by its current API (FCM HTTP v1), a request for each device, with a token that the
// account signs for (RFC 7523); with a plain key by the legacy protocol of GCM, a thousand devices a request, which Google has
// switched off and other servers may speak.
import { Failure, fail } from '@sluice/contract';
import { importPKCS8, SignJWT } from 'jose';
import { isRecord } from '../../call/payload.ts';
import type { SendOutside } from '../../fetch/open.ts';
import { type Delivery, inLanes, type Notification, type PushTransport } from '../../push/index.ts';
import { serverWords } from '../../storage/network.ts';

export interface GoogleOptions {
  /** A key, or the JSON of a service account. */
  key: string;
  /** Where messages are sent to, and where tokens come from. */
  messages: string;
  tokens: string;
  send: SendOutside;
}

interface Account {
  project: string;
  email: string;
  privateKey: string;
}

/** Bytes of a message as JSON: what Google takes. */
const maxPayload = 4_096;
/** Bytes of an answer. */
const maxAnswer = 1024 * 1024;
/** Requests under way at once, and devices of one by the legacy protocol. */
const maxRequests = 20;
const perRequest = 1_000;
/** Milliseconds of a request. */
const requestTime = 20_000;
/** Seconds that a token of an account is asked for, and before its end when another one is. */
const tokenTime = 3_600;
const tokenMargin = 120;
const scope = 'https://www.googleapis.com/auth/firebase.messaging';

export function openGoogle(options: GoogleOptions): PushTransport & { test(): Promise<void> } {
  const account = readAccount(options.key);
  const secrets = account ? [account.privateKey] : [options.key];
  const ask = createAsk(options.send, secrets);
  return {
    check: (notification) => void dataOf(notification),
    checkToken(token) {
      if (!/^[\w:.~%-]+$/.test(token)) throw fail('push.badToken');
    },
    ...(account ? byAccount(account, options, ask, secrets) : byKey(options, ask, secrets)),
  };
}

type Ask = (address: string, headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<Answer>;

interface Answer {
  status: number;
  body: unknown;
}

function createAsk(send: SendOutside, secrets: string[]): Ask {
  return async (address, headers, body, signal) => {
    const response = await send({
      ...{ verb: 'POST', address, maxRedirects: 0, totalTimeout: requestTime, signal },
      headers: new Map(Object.entries(headers)),
      body: Buffer.from(body),
    });
    const text = (await response.bytes(maxAnswer)).toString();
    const answer = { status: response.status, body: parsed(text) };
    const words = serverWords(problemOf(answer) || `status ${answer.status}`, secrets);
    if (answer.status === 401 || answer.status === 403) throw fail('push.loginRefused', { text: words });
    return answer;
  };
}

// ---- FCM HTTP v1 ----

type Sending = Pick<PushTransport, 'send'> & { test(): Promise<void> };

function byAccount(account: Account, { messages, tokens }: GoogleOptions, ask: Ask, secrets: string[]): Sending {
  let current: { token: Promise<string>; endsAt: number } | undefined;

  async function requestToken(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signedBy(account, tokens),
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask(tokens, form, body.toString(), AbortSignal.timeout(requestTime));
    const { access_token: token, expires_in: seconds } = isRecord(answer.body) ? answer.body : {};
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw fail('push.loginRefused', { text: serverWords(problemOf(answer) || 'it gave no token', secrets) });
    const lifetime = typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, tokenTime) : 0;
    if (current) current.endsAt = Date.now() + 1_000 * (lifetime - tokenMargin);
    return token;
  }

  function tokenOf(): Promise<string> {
    if (current && Date.now() < current.endsAt) return current.token;
    const asked = { token: Promise.resolve(''), endsAt: Date.now() + requestTime };
    current = asked;
    asked.token = requestToken().catch((error: unknown) => {
      if (current === asked) current = undefined;
      throw error;
    });
    return asked.token;
  }

  const address = `${messages}/v1/projects/${account.project}/messages:send`;

  async function sendTo(token: string, notification: Notification, signal: AbortSignal): Promise<Delivery> {
    const data = Object.fromEntries(Object.entries(dataOf(notification)).map(([name, value]) => [name, textOf(value)]));
    const message = { token, notification: { body: notification.message }, data };
    const authorization = `Bearer ${await tokenOf()}`;
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await ask(address, headers, JSON.stringify({ message }), signal).catch((error: unknown) => {
      // It may have been revoked.
      if (error instanceof Failure && error.key === 'push.loginRefused') current = undefined;
      throw error;
    });
    if (answer.status === 200) return { token };
    const text = serverWords(problemOf(answer) || `status ${answer.status}`, secrets);
    return {
      token,
      problem: { text, isDead: answer.status === 404 && errorCodes(answer.body).includes('UNREGISTERED') },
    };
  }

  return {
    async send(devices, notification, signal) {
      return refuseDeferred(await inLanes(devices, maxRequests, (token) => sendTo(token, notification, signal)));
    },
    async test() {
      await tokenOf();
    },
  };
}

/** The JWT by which an account asks for a token (Google: "Using OAuth 2.0 for server to server applications"). */
async function signedBy({ email, privateKey }: Account, audience: string): Promise<string> {
  const key = await importPKCS8(privateKey, 'RS256').catch((error: unknown) => {
    throw fail('push.badAccount', { problem: 'its private key cannot be read' }, { cause: error });
  });
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${tokenTime}s`)
    .sign(key);
}

/** The error codes of FCM in the details of an error. */
const errorCodes = (body: unknown): unknown[] => {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return Array.isArray(error.details) ? error.details.filter(isRecord).map(({ errorCode }) => errorCode) : [];
};

// ---- the legacy protocol ----

function byKey({ key, messages }: GoogleOptions, ask: Ask, secrets: string[]): Sending {
  async function sendTo(
    devices: readonly string[],
    notification: Notification,
    signal: AbortSignal,
  ): Promise<Delivery[]> {
    const headers = { 'content-type': 'application/json', authorization: `key=${key}` };
    const body = JSON.stringify({ registration_ids: devices, data: dataOf(notification) });
    const answer = await ask(`${messages}/fcm/send`, headers, body, signal);
    const results = isRecord(answer.body) && Array.isArray(answer.body.results) ? answer.body.results : [];
    const text = serverWords(problemOf(answer) || `status ${answer.status}`, secrets);
    return devices.map((token, index) => {
      const result: unknown = results[index];
      if (answer.status !== 200 || !isRecord(result)) return { token, problem: { text, isDead: false } };
      if (result.error === undefined) return { token };
      return {
        token,
        problem: { text: serverWords(String(result.error), secrets), isDead: result.error === 'NotRegistered' },
      };
    });
  }

  return {
    async send(devices, notification, signal) {
      const parts: string[][] = [];
      for (let at = 0; at < devices.length; at += perRequest) parts.push(devices.slice(at, at + perRequest));
      return refuseDeferred((await inLanes(parts, 4, (part) => sendTo(part, notification, signal))).flat());
    },
    // There is no call that does nothing.
    async test() {},
  };
}

// ---- both ----

/** Where the push service takes nothing for now, the call is to be made again. */
function refuseDeferred(deliveries: Delivery[]): Delivery[] {
  const [first] = deliveries;
  const isDeferred = deliveries.every(({ problem }) => problem && deferring.test(problem.text));
  if (isDeferred && first?.problem) throw fail('push.deferred', { text: first.problem.text });
  return deliveries;
}
const deferring =
  /^(Unavailable|InternalServerError|UNAVAILABLE|INTERNAL|QUOTA_EXCEEDED|RESOURCE_EXHAUSTED|status (429|5\d\d))/;

/** The data that the app gets: that of the call, and the message. */
function dataOf({ message, data = {} }: Notification): Record<string, unknown> {
  if (data !== null && !isRecord(data)) throw fail('push.badField', { field: 'data', kind: 'an object' });
  const whole = { ...data, message };
  if (Buffer.byteLength(JSON.stringify(whole)) > maxPayload) throw fail('push.tooLarge', { limit: maxPayload });
  return whole;
}

/** Of FCM HTTP v1 all data are texts. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** A service account, of a key that is its JSON; undefined of a plain one. */
function readAccount(key: string): Account | undefined {
  if (!key.trimStart().startsWith('{')) return undefined;
  const refuse = (problem: string) => fail('push.badAccount', { problem });
  const json = parsed(key);
  if (!isRecord(json)) throw refuse('it is no JSON');
  const { type, project_id: project, client_email: email, private_key: privateKey } = json;
  if (type !== 'service_account') throw refuse('its type is not service_account');
  // It becomes a part of the address.
  if (typeof project !== 'string' || !/^[a-z0-9][a-z0-9.:-]{1,100}$/.test(project))
    throw refuse('it has no project_id');
  if (typeof email !== 'string' || email === '') throw refuse('it has no client_email');
  if (typeof privateKey !== 'string' || !privateKey.includes('PRIVATE KEY')) throw refuse('it has no private_key');
  return { project, email, privateKey };
}

/** What a refusal says: the status word of Google, and its message. */
function problemOf({ body }: Answer): string {
  if (typeof body === 'string') return body;
  if (!isRecord(body)) return '';
  const { error, error_description: description } = body;
  if (typeof error === 'string') return typeof description === 'string' ? `${error} ${description}` : error;
  if (!isRecord(error)) return '';
  return [error.status, error.message].filter((text) => typeof text === 'string').join(' ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 300);
  }
}
