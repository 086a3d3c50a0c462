// The details of a failing database or mail server for administrators: its service, its address, and the driver's own code and words.
// Messages of the catalogue name none of it, since any caller may get them.
import { Failure } from '@sluice/contract';
import type { ServiceRow } from './registry.ts';
import type { ServiceType } from './service.ts';

/** Goes out as `error.context.connection` (contract/http-basics.md §8). */
export interface ConnectionDetails {
  /** Null for a configuration that is tried before it is saved. */
  service_id: number | null;
  /** `host:port`, a socket, or a file. */
  address: string | null;
  /** As the driver or the database says it: `ECONNREFUSED`, `28P01`. */
  code: string | null;
  /** In the driver's words. */
  text: string | null;
}

/** The service whose server failed, its configuration with its secrets in clear and its lookups put in. */
export interface FailedService {
  id: number | null;
  type: ServiceType;
  config: Record<string, unknown>;
  lookups?: ServiceRow['lookups'];
}

const maxText = 500;

/** Failures of servers of mail and of the web themselves. */
const serverFailures = new Set([
  ...['mail.unreachable', 'mail.notEncrypted', 'mail.loginRefused'],
  ...['remote.unreachable', 'remote.timeout'],
]);

/** Whether a failure is that of a server itself, and not of what it was asked; one that is described already is not. */
export const isConnectionFailure = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.key.startsWith('database.') || serverFailures.has(error.key)) &&
  error.status >= 500 &&
  !Object.hasOwn(error.context ?? {}, 'connection');

/** The failure with its connection in the context, beside the messages of fields. */
export function withConnectionDetails(failure: Failure, service: FailedService): Failure {
  const { key, status, message, code, hint, allow, retryAfter, cause } = failure;
  const connection = connectionDetails(failure, service);
  const context = { ...(failure.context as object | null), connection };
  return new Failure(key, status, message, { code, context, hint, allow, retryAfter, cause });
}

function connectionDetails(failure: Failure, { id, type, config, lookups }: FailedService): ConnectionDetails {
  const { code, message } = driverError(failure.cause);
  const secrets = Object.entries(type.config ?? {})
    .filter(([, field]) => field.secret)
    .map(([name]) => config[name])
    .concat(lookups?.privateValues ?? [])
    .filter((value): value is string => typeof value === 'string' && value !== '');
  /** A text that holds a secret is left out whole: a part of it could be guessed from the rest. */
  const withoutSecrets = (text: string | undefined) =>
    text && !secrets.some((secret) => text.includes(secret)) ? text.slice(0, maxText) : null;
  return {
    service_id: id,
    address: withoutSecrets(type.address?.(config as never)),
    code: code ?? null,
    text: withoutSecrets(message),
  };
}

/** The error of the driver behind a failure, as far as it is one; SQLite's own number counts more than that of its library. */
function driverError(cause: unknown): { code?: string; message?: string } {
  if (cause instanceof Failure) return driverError(cause.cause);
  if (typeof cause === 'string') return { message: cause };
  if (!(cause instanceof Error)) return {};
  const { code, errcode, message } = cause as Error & { code?: unknown; errcode?: unknown };
  const text = String(errcode ?? code ?? '');
  return { message, ...(/^\w{1,40}$/.test(text) ? { code: text } : {}) };
}
