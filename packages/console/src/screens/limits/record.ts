// A limit as the editor holds it and as it is sent, and what is wrong with it. Pure.
import { isLimitPeriod, isLimitType, type LimitScopeField, limitRules, trimSlashes } from '@sluice/contract';
import { formText } from '../../editor/form-text.ts';
import type { Row } from '../../list/index.ts';

/** What is read and written with a limit (C-LIM-02, C-LIM-04, C-LIM-05). */
export const limitRelations = 'service_by_service_id,role_by_role_id,user_by_user_id,limit_cache_by_limit_id';

export interface LimitForm extends Record<string, unknown> {
  id?: number;
  name: string;
  description: string;
  type: string | null;
  service_id: number | null;
  user_id: number | null;
  endpoint: string;
  role_id: number | null;
  /** As typed. */
  rate: string;
  period: string | null;
  /** Null for all of them. */
  verb: string | null;
  is_active: boolean;
}

/** What the editor of a new limit starts with (LIM-016). */
export const emptyLimit: LimitForm = {
  name: '',
  description: '',
  type: null,
  service_id: null,
  user_id: null,
  endpoint: '',
  role_id: null,
  rate: '',
  period: null,
  verb: null,
  is_active: true,
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const idOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A loaded limit as the editor holds it. */
export const toForm = (record: Row): LimitForm => ({
  id: Number(record.id),
  name: formText(record.name),
  description: formText(record.description),
  type: textOrNull(record.type),
  service_id: idOrNull(record.service_id),
  user_id: idOrNull(record.user_id),
  endpoint: formText(record.endpoint),
  role_id: idOrNull(record.role_id),
  rate: formText(record.rate === null || record.rate === undefined ? '' : String(record.rate)),
  period: textOrNull(record.period),
  verb: textOrNull(record.verb),
  is_active: record.is_active === true,
});

/** Whether a type has a field; the form shows the others of no type (OPEN-184). */
export const hasField = (type: string | null, field: LimitScopeField): boolean =>
  isLimitType(type) && limitRules(type).keeps.includes(field);

/** The body of a save (LIM-020, LIM-032, OPEN-186). */
export const toRecord = ({ id, name, description, endpoint, rate, verb, ...form }: LimitForm): Row => ({
  ...(id === undefined ? {} : { id }),
  name: name.trim(),
  description: description.trim() || null,
  ...form,
  rate: Number(rate.trim()),
  endpoint: hasField(form.type, 'endpoint') ? trimSlashes(endpoint.trim()) || null : null,
  // A stored verb has to be taken back.
  ...(verb !== null || id !== undefined ? { verb } : {}),
});

/** What can be wrong; a screen has the words under `checks.<problem>`. */
export type Problem =
  | 'noType'
  | 'noName'
  | 'unknownType'
  | 'noRate'
  | 'rateNotDigits'
  | 'rateTooSmall'
  | 'noPeriod'
  | 'missing';

interface Check {
  field: keyof LimitForm & string;
  problem: Problem;
  isWrong: (form: LimitForm) => boolean;
}

const needs =
  (field: LimitScopeField) =>
  (form: LimitForm): boolean =>
    isLimitType(form.type) && limitRules(form.type).needs.includes(field) && isBlank(form[field]);
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && trimSlashes(value.trim()) === '');

/** In the order they are made. The first five are those of the documents (LIM-021 to LIM-025), the others the server's. */
const checks: readonly Check[] = [
  { field: 'type', problem: 'noType', isWrong: ({ type }) => type === null },
  { field: 'name', problem: 'noName', isWrong: ({ name }) => isBlank(name) },
  { field: 'type', problem: 'unknownType', isWrong: ({ type }) => !isLimitType(type) },
  { field: 'rate', problem: 'noRate', isWrong: ({ rate }) => rate.trim() === '' },
  { field: 'rate', problem: 'rateNotDigits', isWrong: ({ rate }) => !/^\d+$/.test(rate.trim()) },
  { field: 'rate', problem: 'rateTooSmall', isWrong: ({ rate }) => Number(rate) < 1 },
  { field: 'service_id', problem: 'missing', isWrong: needs('service_id') },
  { field: 'user_id', problem: 'missing', isWrong: needs('user_id') },
  { field: 'endpoint', problem: 'missing', isWrong: needs('endpoint') },
  { field: 'role_id', problem: 'missing', isWrong: needs('role_id') },
  { field: 'period', problem: 'noPeriod', isWrong: ({ period }) => !isLimitPeriod(period) },
];

/** The first thing that is wrong with a limit; none when it can be sent (LIM-026). */
export const firstProblem = (form: LimitForm): Check | undefined => checks.find(({ isWrong }) => isWrong(form));

/** Whether sign-ins of users count against a limit: they are calls of nobody. */
export const countsSignIns = (type: string | null, serviceName: string | undefined): boolean =>
  type === 'instance' || (type === 'instance.service' && serviceName === 'user');
