// Calls that the making and the reading of packages make inside the call they are for: as its caller, through the same steps.
import { Failure, type Verb } from '@sluice/contract';
import type { Logger } from 'pino';
import { queryOf } from '../../call/address.ts';
import type { Call, Payload, Reply } from '../../call/call.ts';
import { recordsOf } from '../../call/payload.ts';
import { readValue } from '../../call/reply.ts';
import type { Fetch } from '../../fetch/index.ts';
import type { InnerRequest } from '../../gateway/inner-call.ts';
import type { RecordEngine } from '../../records/index.ts';
import type { CallInside } from '../../scripts/api.ts';
import type { LinkedParts } from '../../scripts/linked.ts';
import type { Services } from '../../service/registry.ts';
import type { Settings } from '../../settings/index.ts';
import type { Store } from '../../store/index.ts';
import { maxJson } from './kinds.ts';

export interface PackageParts {
  store: Store;
  settings: Settings;
  records: RecordEngine;
  services: () => Pick<Services, 'rows' | 'type' | 'openById'>;
  fetch: Fetch;
  callInside: CallInside;
  log: Pick<Logger, 'warn'>;
  authorizeInside: LinkedParts['authorizeInside'];
}

export interface InsideOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  payload?: Payload;
}

const requestOf = (
  { caller }: Call,
  verb: Verb,
  [service, path]: readonly [service: string, path: string],
  { query = {}, headers = {}, payload }: InsideOptions = {},
): InnerRequest => ({
  ...{ verb, service, path, query: queryOf(new Map(Object.entries(query))), headers: new Map(Object.entries(headers)) },
  ...(payload === undefined ? {} : { payload }),
  requestor: caller.requestor,
});

/** An address inside: service and path. */
export type InsideAddress = readonly [service: string, path: string];

export const callAt = async (
  { callInside }: PackageParts,
  call: Call,
  verb: Verb,
  address: InsideAddress,
  options?: InsideOptions,
): Promise<Reply> => callInside(call, requestOf(call, verb, address, options));

/** Throws the refusal of a call that is not made. */
export const authorizeAt = async (
  { authorizeInside }: PackageParts,
  call: Call,
  verb: Verb,
  address: InsideAddress,
): Promise<void> => {
  await authorizeInside(call, requestOf(call, verb, address));
};

export const valueAt = async (
  parts: PackageParts,
  call: Call,
  verb: Verb,
  address: InsideAddress,
  options?: InsideOptions,
): Promise<unknown> => readValue(await callAt(parts, call, verb, address, options), maxJson);

/** The records of a list. */
export const recordsAt = async (
  parts: PackageParts,
  call: Call,
  address: InsideAddress,
  options?: InsideOptions,
): Promise<Record<string, unknown>[]> => recordsOf(await valueAt(parts, call, 'GET', address, options));

/** The names of a list that is asked for with `as_list`. */
export async function namesAt(parts: PackageParts, call: Call, address: InsideAddress): Promise<string[]> {
  const value = (await valueAt(parts, call, 'GET', address, { query: { as_list: 'true' } })) as { resource?: unknown };
  return Array.isArray(value?.resource) ? value.resource.map(String) : [];
}

/** Whether the caller may not do it; those who bring a key alone are answered 401. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 401 || error.status === 403);

/** Whether there is no such thing. */
export const isMissing = (error: unknown): boolean => error instanceof Failure && error.status === 404;

/** The words of a failure, with those of its fields. */
export const wordsOf = (error: Failure): string =>
  error.context === undefined || error.context === null
    ? error.message
    : `${error.message}\nContext: ${JSON.stringify(error.context).slice(0, 2_000)}`;
