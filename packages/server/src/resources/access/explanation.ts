// The answer to a question about a call: data, and the whole decision in sentences.
import {
  type ExplainedLimit,
  type ExplainSentenceId,
  type Explanation,
  explainSentences,
  type Failure,
  fail,
  secretMask,
  tellInEnglish,
  verbsOf,
} from '@sluice/contract';
import { componentOf } from '../../access/decide.ts';
import { explainRows } from '../../access/explain-rows.ts';
import type { Verdict } from '../../access/gate.ts';
import { type Lookup, sessionLookup } from '../../access/lookups.ts';
import { nameInModifier } from '../../access/modifiers.ts';
import { conditionsOf, type FilterConditions, passesFilter } from '../../access/record-filters.ts';
import type { Caller, CallerRole } from '../../call/call.ts';
import type { App, Person } from '../../identity/directory.ts';
import type { AddressedService } from '../../service/registry.ts';
import type { Question } from './question.ts';
import { reasonsOf } from './reasons.ts';

/** Whom the question is about. */
export interface Subject {
  person?: Person | undefined;
  app?: App | undefined;
  role?: { role: CallerRole; from: 'user' | 'app' | 'question' } | undefined;
}

/** The results of the steps of the call. */
export interface CallOutcome {
  /** Absent when the caller was refused before any decision. */
  caller?: Caller;
  verdict?: Verdict;
  refusal?: Failure;
  addressed: AddressedService | undefined;
  baseUrl: string;
  /** What the call counts under. */
  limits: ExplainedLimit[];
}

const maxRows = 200;

/** Puts an answer together. */
export function buildExplanation(question: Question, subject: Subject, outcome: CallOutcome): Explanation {
  const { verb, requestor, service } = question;
  const { caller, verdict, addressed } = outcome;
  const row = addressed?.row;
  const component = componentOf(question.path);
  const filter = explainFilter(question, outcome);
  const exceeded = outcome.limits.some(({ refuses }) => refuses) ? fail('limit.exceeded') : undefined;
  // Counted before the service looks at a filter.
  const refusal = outcome.refusal ?? exceeded ?? filter?.refusal;
  const isDecidedByRole = caller?.role?.isActive === true && !caller.user?.isAdmin;
  const rows = isDecidedByRole
    ? explainRows(caller.role!.access, { service, component, verb, requestor }).filter((row) => row.why !== 'service')
    : [];
  const mask = verdict?.decision.mask ?? 0;
  const answer: Omit<Explanation, 'reasons' | 'told'> = {
    allowed: refusal === undefined,
    refusal: refusal ? { status: refusal.status, message: refusal.message } : null,
    caller: summarizeCaller(question, subject),
    call: {
      verb,
      requestor,
      service,
      component,
      service_id: row?.id ?? null,
      service_type: row?.type ?? null,
      service_is_active: row?.isActive ?? null,
    },
    decided_by: decidedBy(outcome),
    verb_mask: mask,
    verbs: verbsOf(mask),
    rows: rows.slice(0, maxRows),
    filter: filter?.explained ?? null,
    record: explainRecord(question, refusal === undefined, filter?.conditions),
    limits: outcome.limits,
  };
  const told = reasonsOf(answer, rows);
  return { ...answer, reasons: told.map(tellInEnglish), told };
}

function summarizeCaller({ subjectIds }: Question, { person, app, role }: Subject): Explanation['caller'] {
  return {
    kind: person
      ? person.user.isAdmin
        ? 'administrator'
        : 'user'
      : app
        ? 'app'
        : subjectIds.roleId
          ? 'role'
          : 'nobody',
    user: person
      ? { id: person.user.id, name: person.user.name, email: person.user.email, is_active: person.isActive }
      : null,
    app: app ? { id: app.app.id, name: app.app.name, is_active: app.isActive } : null,
    role: role ? { id: role.role.id, name: role.role.name, is_active: role.role.isActive } : null,
    role_from: role?.from ?? null,
  };
}

function decidedBy({ caller, verdict }: CallOutcome): Explanation['decided_by'] {
  if (!caller || !verdict) return 'refused';
  if (verdict.isPublic) return 'exception';
  if (caller.user?.isAdmin) return 'administrator';
  return caller.role && !caller.role.isActive ? 'refused' : verdict.decision.class;
}

interface FilterOutcome {
  /** With the caller's own lookups. */
  conditions?: FilterConditions;
  explained?: NonNullable<Explanation['filter']>;
  /** What calls are answered when the filter is invalid. */
  refusal?: Failure;
}

function explainFilter(
  { subjectIds }: Question,
  { caller, verdict, refusal, addressed, baseUrl }: CallOutcome,
): FilterOutcome | undefined {
  const filterRow = verdict?.decision.filterRow;
  if (!caller || !filterRow || refusal || !addressed?.type?.can.tables) return undefined;
  const isAnybody = subjectIds.roleId !== undefined;
  const resolveLookup = sessionLookup({ caller, baseUrl });
  const lookup: Lookup = (name) =>
    isAnybody && /^(user|app)\./i.test(nameInModifier(name)) ? undefined : resolveLookup(name);
  try {
    const conditions = conditionsOf(filterRow, lookup);
    const shown = conditionsOf(filterRow, maskCredentials(lookup));
    return {
      conditions,
      explained: {
        row_id: filterRow.id,
        row_number: caller.role!.access.indexOf(filterRow) + 1,
        filter_op: shown.op,
        conditions: shown.conditions.map(({ name, operator, value, filledValue: filled }) => ({
          name,
          operator,
          value,
          filled,
        })),
        text: filterText(shown),
      },
    };
  } catch (error) {
    return { refusal: error as Failure };
  }
}

/** API keys and tokens let others in: they are masked. */
const maskCredentials =
  (lookup: Lookup): Lookup =>
  (name) => {
    const key = nameInModifier(name);
    if (/^session\.(id|token)$/.test(key)) return undefined;
    const value = lookup(name);
    return value !== undefined && key === 'app.api_key' ? secretMask : value;
  };

/** `(region = "eu") AND (owner is null)`. */
const filterText = ({ op, conditions }: FilterConditions): string =>
  conditions
    .map(({ name, operator, filledValue: filled, values }) => {
      const list = Array.isArray(filled) ? `(${filled.map((value) => JSON.stringify(value)).join(', ')})` : undefined;
      return `(${[name, operator, ...(values.length > 0 ? [list ?? JSON.stringify(filled)] : [])].join(' ')})`;
    })
    .join(` ${op} `);

function explainRecord(
  { record, verb }: Question,
  isAllowed: boolean,
  conditions: FilterConditions | undefined,
): Explanation['record'] {
  if (!record || !isAllowed) return null;
  if (!conditions) return recordVerdict(true, 'recordUnfiltered');
  const isChange = verb === 'PUT' || verb === 'PATCH';
  const passes = passesFilter(conditions, record, isChange ? 'change' : 'create');
  if (passes) return recordVerdict(true, isChange ? 'changePasses' : 'recordPasses');
  if (isChange) return recordVerdict(false, 'changeFails');
  return recordVerdict(false, verb === 'POST' ? 'recordFails' : 'recordUnseen');
}

const recordVerdict = (passes: boolean, id: ExplainSentenceId) => ({ passes, text: explainSentences[id], id });
