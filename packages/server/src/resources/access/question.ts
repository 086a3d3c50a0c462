// The question `system/access/explain` is asked, read and checked.
import { type ExplainRequest, fail, type Requestor, requestorMask, type Verb, verbs } from '@sluice/contract';
import { parseAddress } from '../../call/address.ts';
import { isRecord } from '../../call/payload.ts';
import type { Asked } from '../../identity/index.ts';

export interface Question {
  asked: Asked;
  requestor: Requestor;
  verb: Verb;
  /** Lower-cased name of the service. */
  service: string;
  path: string;
  record: Record<string, unknown> | undefined;
}

const longestPath = 4000;

/** Reads the body of a question; a 400 tells which field can not be understood. */
export function readQuestion(body: unknown): Question {
  if (!isRecord(body)) throw wrong('the body', 'has to be an object with verb and path.');
  const given = body as Record<keyof ExplainRequest, unknown>;
  const asked: Asked = {};
  const ids = { user_id: 'userId', app_id: 'appId', role_id: 'roleId' } as const;
  for (const [field, name] of Object.entries(ids) as [keyof typeof ids, keyof Asked][]) {
    const id = idOf(given, field);
    if (id !== undefined) asked[name] = id;
  }
  if (asked.roleId !== undefined && (asked.userId !== undefined || asked.appId !== undefined))
    throw wrong('role_id', 'can not be asked together with user_id or app_id.');
  const { record } = given;
  if (record !== undefined && record !== null && !isRecord(record)) throw wrong('record', 'has to be an object.');
  return {
    asked,
    requestor: wordOf(given.requestor ?? 'API', 'requestor', Object.keys(requestorMask) as Requestor[]),
    verb: wordOf(given.verb, 'verb', verbs),
    ...addressOf(given.path),
    record: isRecord(record) ? record : undefined,
  };
}

function idOf(given: Record<keyof ExplainRequest, unknown>, field: keyof ExplainRequest): number | undefined {
  const value = given[field];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw wrong(field, 'has to be the id of a record.');
  return value as number;
}

function wordOf<T extends string>(value: unknown, field: keyof ExplainRequest, words: readonly T[]): T {
  const word = typeof value === 'string' ? words.find((it) => it === value.trim().toUpperCase()) : undefined;
  if (!word) throw wrong(field, `has to be one of ${words.join(', ')}.`);
  return word;
}

/** Taken apart as the address of a real call is; what stands before the service's name may be left out. */
function addressOf(path: unknown): Pick<Question, 'service' | 'path'> {
  const problem = 'has to begin with the name of a service, as db/_table/contact does.';
  if (typeof path !== 'string') throw wrong('path', problem);
  const text = path.trim();
  if (text.length > longestPath) throw wrong('path', `may not be longer than ${longestPath} characters.`);
  const below = text.replace(/^https?:\/\/[^/?]*/i, '').replace(/^\/api(?=\/|$)|^api(?=\/v[0-9.]+(\/|$))/, '');
  const target = below === text ? `/api/v2/${text.replace(/^\/+/, '')}` : `/api${below}`;
  const address = parseAddress(target);
  if (address.service === '') throw wrong('path', problem);
  return { service: address.service, path: address.path };
}

const wrong = (field: string, problem: string) => fail('access.question', { field, problem });
