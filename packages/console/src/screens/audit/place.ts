// Where the audit stands: what is asked for, as the address holds it and as the server is asked. Pure.
import { type AuditAction, auditActions } from '@sluice/contract';

export interface AuditPlace {
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

export type AuditFilters = Omit<AuditPlace, 'page'>;

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
export const longestText = 255;

/** Reads the place from an address; what is malformed counts as not given. */
export function readPlace(address: URLSearchParams): AuditPlace {
  const said = (name: string) => (address.get(name) ?? '').slice(0, longestText);
  const day = (name: string) => (/^\d{4}-\d\d-\d\d$/.test(said(name)) ? said(name) : '');
  const page = Number(said('page'));
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    action: auditActions.find((action) => action === said('action')) ?? '',
    resource: said('resource'),
    record: said('record'),
    who: said('who'),
    since: day('since'),
    until: day('until'),
    text: said('text'),
  };
}

/** The address of a changed place; another filter starts at page 1, parameters that are not ours stay. */
export function writePlace(address: URLSearchParams, change: Partial<AuditPlace>): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries({ page: 1, ...change })) {
    const words = name === 'page' && Number(value) <= 1 ? '' : String(value).trim();
    if (words === '') next.delete(name);
    else next.set(name, words);
  }
  return next;
}

export const hasFilters = (place: AuditFilters): boolean =>
  (Object.keys(noFilters) as (keyof AuditFilters)[]).some((name) => place[name] !== '');

/** The filter as the server is asked (contract/http-basics.md §10); undefined for none. */
export function filterOf(place: AuditFilters): string | undefined {
  const { action, resource, record, who, since, until, text } = place;
  const parts: string[] = [];
  if (action !== '') parts.push(`(action = ${quoted(action)})`);
  if (resource !== '') parts.push(`(resource = ${quoted(resource)})`);
  if (record !== '') parts.push(`(record_id = ${quoted(record)})`);
  if (who !== '') parts.push(`(user_email contains ${quoted(who)})`);
  if (since !== '') parts.push(`(created_date >= ${quoted(startOf(since, 0))})`);
  if (until !== '') parts.push(`(created_date < ${quoted(startOf(until, 1))})`);
  if (text !== '') parts.push(`(${searched.map((field) => `(${field} contains ${quoted(text)})`).join(' or ')})`);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Fields the free text looks in. */
const searched = ['record_name', 'record_id', 'user_email', 'ip_address', 'user_agent', 'outcome', 'request_id'];

/** Midnight of a day in the reader's zone, or of one after it. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
