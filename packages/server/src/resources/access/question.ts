// The question a call of `system/access/explain` asks: read and checked.
import { type ExplainRequest, fail, type Requestor, requestorMask, type Verb, verbs } from '@sluice/contract';
import { parseAddress } from '../../call/address.ts';
import { isRecord } from '../../call/payload.ts';
import type { CallerReference } from '../../identity/index.ts';

export interface Question {
  /** Whom the question is about. */
  subjectIds: CallerReference;
  requestor: Requestor;
  verb: Verb;
  /** Lower-cased name of the service. */
  service: string;
  path: string;
  record: Record<string, unknown> | undefined;
}

const maxPathLength = 4000;

/** Reads the body of a question; a 400 names the field that cannot be understood. */
export function readQuestion(body: unknown): Question {
  if (!isRecord(body)) throw invalidQuestion('the body', 'has to be an object with verb and path.');
  const input = body as Record<keyof ExplainRequest, unknown>;
  const subjectIds: CallerReference = {};
  const ids = { user_id: 'userId', app_id: 'appId', role_id: 'roleId' } as const;
  for (const [field, name] of Object.entries(ids) as [keyof typeof ids, keyof CallerReference][]) {
    const id = readId(input, field);
    if (id !== undefined) subjectIds[name] = id;
  }
  if (subjectIds.roleId !== undefined && (subjectIds.userId !== undefined || subjectIds.appId !== undefined))
    throw invalidQuestion('role_id', 'can not be asked together with user_id or app_id.');
  const { record } = input;
  if (record !== undefined && record !== null && !isRecord(record))
    throw invalidQuestion('record', 'has to be an object.');
  return {
    subjectIds,
    requestor: readOneOf(input.requestor ?? 'API', 'requestor', Object.keys(requestorMask) as Requestor[]),
    verb: readOneOf(input.verb, 'verb', verbs),
    ...readAddress(input.path),
    record: isRecord(record) ? record : undefined,
  };
}

function readId(input: Record<keyof ExplainRequest, unknown>, field: keyof ExplainRequest): number | undefined {
  const value = input[field];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw invalidQuestion(field, 'has to be the id of a record.');
  return value as number;
}

function readOneOf<T extends string>(value: unknown, field: keyof ExplainRequest, words: readonly T[]): T {
  const word =
    typeof value === 'string' ? words.find((candidate) => candidate === value.trim().toUpperCase()) : undefined;
  if (!word) throw invalidQuestion(field, `has to be one of ${words.join(', ')}.`);
  return word;
}

/** Parsed as the address of a real call; what stands before the name of the service may be left out. */
function readAddress(path: unknown): Pick<Question, 'service' | 'path'> {
  const problem = 'has to begin with the name of a service, as db/_table/contact does.';
  if (typeof path !== 'string') throw invalidQuestion('path', problem);
  const text = path.trim();
  if (text.length > maxPathLength) throw invalidQuestion('path', `may not be longer than ${maxPathLength} characters.`);
  const below = text.replace(/^https?:\/\/[^/?]*/i, '').replace(/^\/api(?=\/|$)|^api(?=\/v[0-9.]+(\/|$))/, '');
  const target = below === text ? `/api/v2/${text.replace(/^\/+/, '')}` : `/api${below}`;
  const address = parseAddress(target);
  if (address.service === '') throw invalidQuestion('path', problem);
  return { service: address.service, path: address.path };
}

const invalidQuestion = (field: string, problem: string) => fail('access.question', { field, problem });
