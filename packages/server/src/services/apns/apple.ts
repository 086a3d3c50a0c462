// Apple's push service: a request of HTTP/2 for each device, on one connection that the certificate of the service opens
// (Apple: "Sending notification requests to APNs", "Handling notification responses from APNs").
import { X509Certificate } from 'node:crypto';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Failure, fail } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import { type Delivery, inLanes, type Notification, type PushTransport } from '../../push/index.ts';
import { serverProblems, serverWords } from '../../storage/network.ts';

export interface AppleOptions {
  /** PEM: the certificate and its private key. */
  certificate: string;
  passphrase: string;
  /** `https://host` of the push service. */
  address: string;
  /** Authorities in place of the usual ones, for tests. */
  ca?: string;
}

export interface AppleTimes {
  /** Milliseconds until a connection is there, until a request is answered, and until an idle connection is closed. */
  connect: number;
  answer: number;
  idle: number;
}

const usualTimes: AppleTimes = { connect: 10_000, answer: 20_000, idle: 60_000 };

/** Bytes of a notification as JSON: what Apple takes. */
const maxPayload = 4_096;
/** Bytes of an answer. */
const maxAnswer = 4_096;
/** Requests under way at once. */
const maxStreams = 50;

const texts = ['action-loc-key', 'loc-key', 'launch-image'];
/** Reasons that tell of the certificate, not of a device. */
const loginReasons = new Set([
  ...['BadCertificate', 'BadCertificateEnvironment', 'Forbidden', 'TopicDisallowed', 'MissingTopic', 'BadTopic'],
  ...['MissingProviderToken', 'ExpiredProviderToken', 'InvalidProviderToken'],
]);

export function openApple(
  options: AppleOptions,
  times: AppleTimes = usualTimes,
): PushTransport & { test(): Promise<void> } {
  const { certificate, passphrase, address, ca } = options;
  const isSecure = address.startsWith('https:');
  const secrets = [passphrase];
  let login: { context: SecureContext; topic: string | undefined } | undefined;
  let session: Promise<ClientHttp2Session> | undefined;
  let isClosed = false;

  function readLogin() {
    login ??= readCertificate(certificate, passphrase, ca);
    return login;
  }

  function connected(): Promise<ClientHttp2Session> {
    if (isClosed) throw unreachable('the service was changed');
    if (session) return session;
    const { context } = readLogin();
    const opening = openSession(context);
    session = opening;
    const forget = () => {
      if (session === opening) session = undefined;
    };
    opening.then((open) => {
      // After GOAWAY no further request is taken.
      open.once('goaway', forget);
      open.once('close', forget);
    }, forget);
    return opening;
  }

  const openSession = (context: SecureContext): Promise<ClientHttp2Session> =>
    new Promise((resolve, reject) => {
      const open = connect(address, {
        ...(isSecure ? { secureContext: context } : {}),
        settings: { enablePush: false },
      });
      const timer = setTimeout(() => {
        open.destroy();
        reject(unreachable('it took too long'));
      }, times.connect);
      open.once('connect', () => {
        clearTimeout(timer);
        open.setTimeout(times.idle, () => open.close());
        resolve(open);
      });
      open.on('error', (error) => {
        clearTimeout(timer);
        reject(failureOf(error, secrets));
      });
      open.once('close', () => {
        clearTimeout(timer);
        reject(unreachable('it closed the connection'));
      });
    });

  async function sendTo(token: string, payload: string, signal: AbortSignal): Promise<Delivery> {
    const open = await connected();
    const { status, reason, timestamp } = await ask(open, token, payload, signal);
    if (status === 200) return { token };
    const text = serverWords(reason || `status ${status}`, secrets);
    if (loginReasons.has(reason)) throw fail('push.loginRefused', { text });
    if (status === 429 || status >= 500) return { token, problem: { text, isDead: false } };
    const isDead = status === 410;
    return { token, problem: { text, isDead, ...(timestamp ? { deadSince: new Date(timestamp) } : {}) } };
  }

  interface Answer {
    status: number;
    reason: string;
    timestamp?: number | undefined;
  }

  function ask(open: ClientHttp2Session, token: string, payload: string, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { topic } = readLogin();
      const request = open.request(
        {
          [constants.HTTP2_HEADER_METHOD]: 'POST',
          [constants.HTTP2_HEADER_PATH]: `/3/device/${token}`,
          'apns-push-type': 'alert',
          'apns-priority': '10',
          ...(topic === undefined ? {} : { 'apns-topic': topic }),
        },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(times.answer)]) },
      );
      let status = 0;
      let text = '';
      request.setEncoding('utf8');
      request.on('response', (headers) => {
        status = Number(headers[constants.HTTP2_HEADER_STATUS] ?? 0);
      });
      request.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswer) request.destroy(fail('push.refused', { text: 'its answer is too long' }));
      });
      request.on('end', () => {
        // A connection that breaks off ends its requests, too.
        if (status > 0) resolve({ status, ...reasonOf(text) });
      });
      request.on('error', (error) => reject(failureOf(error, secrets)));
      // One that ends without an answer.
      request.on('close', () => reject(unreachable('it broke the connection off')));
      request.end(payload);
    });
  }

  return {
    check: (notification) => void payloadOf(notification),
    checkToken(token) {
      if (!/^[0-9a-f]{8,400}$/i.test(token)) throw fail('push.badToken');
    },
    async send(tokens, notification, signal) {
      const payload = payloadOf(notification);
      const deliveries = await inLanes(tokens, maxStreams, (token) => sendTo(token, payload, signal));
      const deferred = deliveries.every(
        ({ problem }) => problem && /^(TooMany|Internal|Service|Shutdown|status 5)/.test(problem.text),
      );
      if (deferred && deliveries[0]?.problem) throw fail('push.deferred', { text: deliveries[0].problem.text });
      return deliveries;
    },
    async test() {
      await connected();
    },
    async close() {
      isClosed = true;
      const open = await session?.catch(() => undefined);
      open?.destroy();
    },
  };
}

/** The certificate with its key, and the app that it is for: the topic of its notifications. */
function readCertificate(pem: string, passphrase: string, ca?: string) {
  const refuse = (problem: string, cause?: unknown) => fail('push.badCertificate', { problem }, { cause });
  if (!/-----BEGIN CERTIFICATE-----/.test(pem)) throw refuse('it holds no certificate (PEM)');
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) throw refuse('it holds no private key (PEM)');
  try {
    const context = createSecureContext({ cert: pem, key: pem, passphrase, ...(ca ? { ca } : {}) });
    const { subject } = new X509Certificate(pem);
    return { context, topic: /(?:^|\n)UID=([\w.-]{1,200})/.exec(subject)?.[1] };
  } catch (error) {
    throw refuse('its private key cannot be read, or is another one’s, or the passphrase is wrong', error);
  }
}

/** `{aps: {alert, badge, sound}, …custom}` (Apple: "Generating a remote notification"). */
function payloadOf(notification: Notification): string {
  const { message, badge = 1, sound = 'default', custom } = notification;
  const refuse = (field: string, kind: string) => fail('push.badField', { field, kind });
  if (typeof badge !== 'number' || !Number.isInteger(badge) || badge < 0) throw refuse('badge', 'a whole number');
  if (typeof sound !== 'string') throw refuse('sound', 'a text');
  if (custom !== undefined && custom !== null && !isRecord(custom)) throw refuse('custom', 'an object');
  const alert: Record<string, unknown> = {};
  for (const name of texts) {
    const value = notification[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw refuse(name, 'a text');
    alert[name] = value;
  }
  const args = notification['loc-args'];
  if (args !== undefined && args !== null) {
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
      throw refuse('loc-args', 'a list of texts');
    alert['loc-args'] = args;
  }
  const shown = Object.keys(alert).length > 0 ? { body: message, ...alert } : message;
  // What apps get besides never takes the place of what is Apple's.
  const text = JSON.stringify({ ...custom, aps: { alert: shown, badge, sound } });
  if (Buffer.byteLength(text) > maxPayload) throw fail('push.tooLarge', { limit: maxPayload });
  return text;
}

function reasonOf(text: string): { reason: string; timestamp?: number | undefined } {
  try {
    const body: unknown = JSON.parse(text || '{}');
    if (!isRecord(body)) return { reason: '' };
    const { reason, timestamp } = body;
    const time = typeof timestamp === 'number' && timestamp > 0 && timestamp < 8.64e15 ? timestamp : undefined;
    return { reason: typeof reason === 'string' ? reason : '', timestamp: time };
  } catch {
    return { reason: '' };
  }
}

const unreachable = (problem: string, cause?: unknown) => fail('push.unreachable', { problem }, { cause });

function failureOf(error: unknown, secrets: string[]): Failure {
  if (error instanceof Failure) return error;
  const { name, code = '', cause } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return fail('push.timeout', undefined, { cause: error });
  if (/^ERR_SSL_.*ALERT|CERTIFICATE_REQUIRED/.test(code))
    return fail('push.loginRefused', { text: 'it does not take the certificate' }, { cause: error });
  const words = problems.get(code) ?? serverWords((error as Error).message || String(cause ?? ''), secrets);
  return unreachable(words, error);
}

const problems = new Map([...serverProblems, ['ERR_HTTP2_ERROR', 'it speaks no HTTP/2']]);
