// The state of the audit: page and filters, as the address holds them and as the server is asked. Pure.
import { type AuditAction, auditActions } from '@sluice/contract';

export interface AuditState {
  page: number;
  action: AuditAction | '';
  resource: string;
  /** Id of a record of the resource. */
  record: string;
  /** Part of an e-mail. */
  who: string;
  /** Days in the reader's zone, `2026-11-21`; both count. */
  since: string;
  until: string;
  text: string;
}

export type AuditFilters = Omit<AuditState, 'page'>;

export const noFilters: AuditFilters = {
  action: '',
  resource: '',
  record: '',
  who: '',
  since: '',
  until: '',
  text: '',
};

export const pageSize = 100;
export const maxTextLength = 255;

/** Reads the state from an address; what is malformed counts as absent. */
export function readAuditState(address: URLSearchParams): AuditState {
  const param = (name: string) => (address.get(name) ?? '').slice(0, maxTextLength);
  const day = (name: string) => (/^\d{4}-\d\d-\d\d$/.test(param(name)) ? param(name) : '');
  const page = Number(param('page'));
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    action: auditActions.find((action) => action === param('action')) ?? '',
    resource: param('resource'),
    record: param('record'),
    who: param('who'),
    since: day('since'),
    until: day('until'),
    text: param('text'),
  };
}

/** The address of a changed state; another filter starts at page 1, parameters that are not ours stay. */
export function writeAuditState(address: URLSearchParams, change: Partial<AuditState>): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries({ page: 1, ...change })) {
    const text = name === 'page' && Number(value) <= 1 ? '' : String(value).trim();
    if (text === '') next.delete(name);
    else next.set(name, text);
  }
  return next;
}

export const hasFilters = (filters: AuditFilters): boolean =>
  (Object.keys(noFilters) as (keyof AuditFilters)[]).some((name) => filters[name] !== '');

/** The filter as the server is asked (contract/http-basics.md §10); undefined for none. */
export function filterOf(filters: AuditFilters): string | undefined {
  const { action, resource, record, who, since, until, text } = filters;
  const conditions: string[] = [];
  if (action !== '') conditions.push(`(action = ${quoteValue(action)})`);
  if (resource !== '') conditions.push(`(resource = ${quoteValue(resource)})`);
  if (record !== '') conditions.push(`(record_id = ${quoteValue(record)})`);
  if (who !== '') conditions.push(`(user_email contains ${quoteValue(who)})`);
  if (since !== '') conditions.push(`(created_date >= ${quoteValue(startOfDay(since, 0))})`);
  if (until !== '') conditions.push(`(created_date < ${quoteValue(startOfDay(until, 1))})`);
  if (text !== '')
    conditions.push(`(${searchedFields.map((field) => `(${field} contains ${quoteValue(text)})`).join(' or ')})`);
  return conditions.length === 0 ? undefined : conditions.join(' and ');
}

/** Fields the free text looks in. */
const searchedFields = ['record_name', 'record_id', 'user_email', 'ip_address', 'user_agent', 'outcome', 'request_id'];

/** Midnight of a day in the reader's zone, or of one after it. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

const quoteValue = (value: string): string => `"${value.replaceAll('"', '""')}"`;
