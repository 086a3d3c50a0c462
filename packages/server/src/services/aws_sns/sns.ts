// Amazon SNS (its query protocol, version 2010-03-31), by the keys of the service alone.
import type { SNSClient } from '@aws-sdk/client-sns';
import { Failure, fail } from '@sluice/contract';
import { networkFailure, serverWords } from '../../storage/network.ts';
import { checkRegion } from '../engines/aws.ts';

export interface SnsOptions {
  key: string;
  secret: string;
  region: string;
  /** Another server than Amazon's. */
  endpoint?: string | undefined;
}

type Library = typeof import('@aws-sdk/client-sns');

/** Milliseconds until a connection is there, without a byte, and for a call. */
const connectTimeout = 10_000;
const idleTimeout = 20_000;
const callTime = 30_000;
/** Bytes of an answer. */
const maxAnswer = 4 * 1024 * 1024;

export interface Sns {
  /** Makes a call of the library, which is loaded with the first. Throws failures of the catalogue. */
  call<T>(work: (client: SNSClient, library: Library, options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openSns({ key, secret, region, endpoint }: SnsOptions): Sns {
  checkRegion(region);
  const secrets = [secret];
  let opened: Promise<{ client: SNSClient; library: Library }> | undefined;

  async function open() {
    const library = await import('@aws-sdk/client-sns');
    const client = new library.SNSClient({
      region,
      credentials: { accessKeyId: key, secretAccessKey: secret },
      // A message whose answer is lost may have been taken: it is not published twice.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: connectTimeout, requestTimeout: idleTimeout, throwOnRequestTimeout: true },
      ...(endpoint ? { endpoint } : {}),
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        boundBody((result.response as { body?: unknown }).body);
        return result;
      },
      { step: 'deserialize', priority: 'low', name: 'boundedBody' },
    );
    return { client, library };
  }

  return {
    async call(work) {
      opened ??= open();
      const { client, library } = await opened;
      const signal = AbortSignal.timeout(callTime);
      try {
        return await work(client, library, { abortSignal: signal });
      } catch (error) {
        throw signal.aborted ? fail('push.timeout', undefined, { cause: error }) : failureOf(error, secrets);
      }
    },
    async close() {
      const open = await opened?.catch(() => undefined);
      open?.client.destroy();
    },
  };
}

/** Ends an answer that is too long: the library would gather it in memory. */
function boundBody(body: unknown): void {
  if (!isStream(body)) return;
  let size = 0;
  const { push } = body;
  body.push = function bounded(this: typeof body, chunk: Uint8Array | null, ...rest: unknown[]) {
    size += chunk?.length ?? 0;
    if (size <= maxAnswer) return push.call(this, chunk, ...rest);
    this.destroy(fail('push.refused', { text: 'its answer is too long' }));
    return false;
  };
}

interface Pushed {
  push(chunk: Uint8Array | null, ...rest: unknown[]): boolean;
  destroy(error: Error): void;
}
const isStream = (body: unknown): body is Pushed =>
  typeof body === 'object' && body !== null && 'push' in body && 'destroy' in body;

const loginCodes = new Set([
  ...['InvalidClientTokenId', 'SignatureDoesNotMatch', 'UnrecognizedClientException', 'InvalidSecurityException'],
  ...[
    'IncompleteSignature',
    'ExpiredToken',
    'MissingAuthenticationToken',
    'InvalidSignatureException',
    'OptInRequired',
  ],
]);
const busyCodes = new Set([
  'Throttled',
  'ThrottledException',
  'Throttling',
  'RequestLimitExceeded',
  'ServiceUnavailable',
]);

function failureOf(error: unknown, secrets: string[]): Failure {
  if (error instanceof Failure) return error;
  const { name, message, $metadata, cause } = error as Error & { $metadata?: { httpStatusCode?: number } };
  if (cause instanceof Failure) return cause;
  const options = { cause: error };
  const status = $metadata?.httpStatusCode;
  const code = name.replace(/Exception$/, '');
  const text = serverWords(message === 'UnknownError' ? name : message, secrets);
  if (loginCodes.has(name)) return fail('push.loginRefused', { text }, options);
  if (busyCodes.has(name)) return fail('push.deferred', { text }, options);
  if (code === 'NotFound' || code === 'ResourceNotFound') return fail('push.missing', { name: text }, options);
  if (/^AuthorizationError|^AccessDenied/.test(code) || status === 403) return fail('push.denied', { text }, options);
  if (status !== undefined && status >= 400 && status < 500) return fail('push.invalid', { text }, options);
  if (name === 'TimeoutError') return fail('push.timeout', undefined, options);
  const network = networkFailure(error);
  if (network) return fail('push.unreachable', { problem: networkText(network) }, options);
  return status === undefined
    ? fail('push.unreachable', { problem: 'it gave no answer that can be read' }, options)
    : fail('push.refused', { text }, options);
}

/** What the network did, without the words of storages. */
const networkText = ({ message }: Failure): string => message.replace(/^.*?: /, '').replace(/\.$/, '');
