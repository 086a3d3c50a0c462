// A limit as it is sent, completed over the stored one: what its type keeps, its key, and the plain refusals that come before
// any record of a call is written (contract/limits.md §1–2).
import {
  fail,
  isLimitPeriod,
  isLimitType,
  type LimitPeriod,
  type LimitScopeField,
  type LimitType,
  limitKey,
  limitPeriods,
  limitRules,
  trimSlashes,
  type Verb,
  verbs,
} from '@sluice/contract';
import { type RecordInput, stringifyInput } from '../../call/payload.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { StoredRow } from '../../resource/resource.ts';

/** Undefined where it is none: the rules of the fields refuse that, or one of the refusals. */
export interface LimitDraft {
  input: RecordInput;
  /** Of the stored limit that is changed. */
  id: number | undefined;
  name: string;
  type: LimitType | undefined;
  period: LimitPeriod | undefined;
  rate: number | undefined;
  /** Whether something was sent in place of a rate. */
  hasRate: boolean;
  verb: Verb | null | undefined;
  /** What the type keeps; undefined in place of an id: something else was sent. */
  scope: Record<LimitScopeField, number | string | null | undefined>;
  /** Present where all it is made of is. */
  key: string | undefined;
}

/** Reads a limit as it would be stored. */
export function draftLimit(input: RecordInput, row: StoredRow | undefined): LimitDraft {
  const sent: RecordInput = { ...row, ...withoutUndefined(input) };
  const type = isLimitType(sent.type) ? sent.type : undefined;
  const kept = (field: LimitScopeField, read: (value: unknown) => number | string | null | undefined) =>
    type && limitRules(type).keeps.includes(field) ? read(sent[field]) : null;
  const scope = {
    user_id: kept('user_id', readId),
    role_id: kept('role_id', readId),
    service_id: kept('service_id', readId),
    endpoint: kept('endpoint', readEndpoint),
  };
  const [period, verb] = [readPeriod(sent.period), readVerb(sent.verb)];
  return {
    ...{ input, id: row ? Number(row.id) : undefined, name: stringifyInput(sent.name), type, period, verb, scope },
    ...{ rate: readRate(sent.rate), hasRate: !isEmpty(sent.rate), key: keyOf(type, period, verb, scope) },
  };
}

const withoutUndefined = (input: RecordInput): RecordInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

function keyOf(
  type: LimitType | undefined,
  period: LimitPeriod | undefined,
  verb: Verb | null | undefined,
  scope: LimitDraft['scope'],
): string | undefined {
  if (type === undefined || period === undefined || verb === undefined) return undefined;
  if (Object.values(scope).includes(undefined)) return undefined;
  const { user_id, role_id, service_id, endpoint } = scope as Record<LimitScopeField, never>;
  return limitKey({ type, period, verb, user_id, role_id, service_id, endpoint });
}

const periodNames = Object.keys(limitPeriods) as LimitPeriod[];

/** The name of a period, or its number; a number in quotes is none. */
const readPeriod = (input: unknown): LimitPeriod | undefined =>
  typeof input === 'number' ? periodNames[input] : isLimitPeriod(input) ? input : undefined;

function readRate(input: unknown): number | undefined {
  const rate = typeof input === 'string' && /^\d+$/.test(input.trim()) ? Number(input) : input;
  return typeof rate === 'number' && Number.isSafeInteger(rate) && rate >= 1 ? rate : undefined;
}

/** Case does not matter; none, or an empty text, is all verbs. */
function readVerb(input: unknown): Verb | null | undefined {
  if (isEmpty(input)) return null;
  const name = typeof input === 'string' ? input.toUpperCase() : '';
  return verbs.find((verb) => verb === name);
}

function readId(input: unknown): number | null | undefined {
  if (isEmpty(input)) return null;
  const id = typeof input === 'string' ? Number(input) : input;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}

const readEndpoint = (input: unknown): string | null | undefined =>
  isEmpty(input)
    ? null
    : typeof input === 'string' || typeof input === 'number'
      ? trimSlashes(String(input))
      : undefined;

/** What there is of what drafts name. */
export interface Targets {
  users: ReadonlySet<unknown>;
  roles: ReadonlySet<unknown>;
  services: ReadonlySet<unknown>;
  /** Ids of limits by their key; absent where it is left to the store to refuse a second one. */
  limits?: ReadonlyMap<string, number>;
}

/** Throws what is refused before anything is written. */
export function refuseDraft(draft: LimitDraft, known: Targets): void {
  const { type, name, scope, input } = draft;
  if (type) {
    const { needs } = limitRules(type);
    if (needs.includes('user_id') && scope.user_id === null) throw fail('limit.needsUser', { name });
    if (needs.includes('role_id') && scope.role_id === null) throw fail('limit.needsRole', { name });
    if (needs.includes('service_id') && scope.service_id === null) throw fail('limit.needsService');
    if (needs.includes('endpoint') && isEmpty(scope.endpoint)) throw fail('limit.needsEndpoint');
    // What is no id at all is refused by the rules of the field.
    if (isMissing(scope.user_id, known.users))
      throw type === 'instance.user' ? fail('limit.userUnknown', { name }) : fail('limit.noUser', { name });
    if (isMissing(scope.role_id, known.roles)) throw fail('limit.noRole', { name });
    if (isMissing(scope.service_id, known.services)) throw fail('limit.noService', { name });
  }
  if (draft.verb === undefined) throw fail('limit.verb');
  if (draft.hasRate && draft.rate === undefined) throw fail('limit.rate');
  // What is missing is said by the rules of the fields.
  if (draft.key === undefined || draft.rate === undefined || name === '') return;
  const other = known.limits?.get(draft.key);
  if (other !== undefined && other !== draft.id)
    throw fail('limit.exists', undefined, { context: { ...input, ...emptied(draft), key_text: draft.key } });
}

const isMissing = (id: LimitDraft['scope']['user_id'], known: ReadonlySet<unknown>) =>
  typeof id === 'number' && !known.has(id);

/** The fields that the type leaves empty. */
export function emptied({ type, scope }: LimitDraft): Record<string, null> {
  if (!type) return {};
  const { keeps } = limitRules(type);
  const fields = Object.keys(scope) as LimitScopeField[];
  return Object.fromEntries(fields.filter((field) => !keeps.includes(field)).map((field) => [field, null]));
}
