// The question of the panel: as its inputs hold it, as the address keeps it, as it is sent. Pure.
import { type ExplainRequest, type Requestor, type Verb, verbs } from '@sluice/contract';

/** Whom a panel asks about; ids of saved records. */
export interface ExplainSubject {
  user_id?: number;
  app_id?: number;
  role_id?: number;
}

export interface Question {
  verb: Verb;
  /** Name of the service; empty while none is chosen. */
  service: string;
  /** What stands below the service, as typed. */
  component: string;
  /** Of a person: id of the app whose key comes along, `none`, or empty for the likeliest one. */
  app: string;
  requestor: Requestor;
  /** JSON as typed; empty for none. */
  record: string;
}

export const noApp = 'none';

/** Longer paths are no address a server would take. */
export const maxPathLength = 2000;
/** A longer record is asked about, but kept out of the address: links have to fit in mails and chats. */
export const maxSharedRecordLength = 1500;
export const maxRecordLength = 100_000;

/** What the address says (`?verb=&path=&app=&by=&record=`); what is missing or odd falls back to the beginning. */
export function readQuestion(address: URLSearchParams): Question {
  const path = (address.get('path') ?? '').slice(0, maxPathLength).replace(/^\/+/, '');
  const slash = path.indexOf('/');
  const verb = address.get('verb') as Verb;
  const app = address.get('app') ?? '';
  return {
    verb: verbs.includes(verb) ? verb : 'GET',
    service: slash < 0 ? path : path.slice(0, slash),
    component: slash < 0 ? '' : path.slice(slash + 1),
    app: app === noApp || /^\d{1,15}$/.test(app) ? app : '',
    requestor: address.get('by') === 'SCRIPT' ? 'SCRIPT' : 'API',
    record: (address.get('record') ?? '').slice(0, maxSharedRecordLength),
  };
}

/** The address with the question in it; parameters that are not ours stay. */
export function writeQuestion(address: URLSearchParams, question: Question): URLSearchParams {
  const next = new URLSearchParams(address);
  const setParam = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value));
  setParam('verb', question.verb === 'GET' ? '' : question.verb);
  setParam('path', question.service === '' ? '' : pathOf(question));
  setParam('app', question.app);
  setParam('by', question.requestor === 'API' ? '' : question.requestor);
  setParam('record', isAboutTable(question) && question.record.length <= maxSharedRecordLength ? question.record : '');
  return next;
}

/** `db/_table/contact/7`, below `/api/v2/`. */
export const pathOf = ({ service, component }: Pick<Question, 'service' | 'component'>): string => {
  const below = component.trim().replace(/^\/+/, '');
  return below === '' ? service : `${service}/${below}`;
};

/** What was typed as the path; a whole address, pasted, names the service too. */
export function parsePath(typed: string): Partial<Question> {
  const whole = /\/api\/v2\/([^/?#]+)\/?([^?#]*)/.exec(typed);
  return whole ? { service: whole[1] as string, component: whole[2] ?? '' } : { component: typed };
}

/** Only records of a table have a filter to pass. */
export const isAboutTable = ({ component }: Pick<Question, 'component'>): boolean =>
  /^\/*_table\/[^/]/i.test(component.trim());

/** A record as typed: the object, null for none, undefined when it is no JSON object. */
export function readRecord(typed: string): Record<string, unknown> | null | undefined {
  if (typed.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What is sent; null while the question is incomplete. `likelyApp` stands in where no app was chosen for a person. */
export function requestOf(
  subject: ExplainSubject,
  question: Question,
  likelyApp: number | null,
): ExplainRequest | null {
  const record = isAboutTable(question) ? readRecord(question.record) : null;
  if (question.service === '' || record === undefined) return null;
  const { verb, requestor } = question;
  const caller: ExplainSubject =
    subject.user_id === undefined
      ? subject
      : { user_id: subject.user_id, ...appParam(question.app === '' ? likelyApp : Number(question.app)) };
  return { ...caller, verb, requestor, path: pathOf(question), ...(record === null ? {} : { record }) };
}

// `none` is no number.
const appParam = (id: number | null) => (id === null || Number.isNaN(id) ? {} : { app_id: id });

/** Paths to offer, of a service's access list: what a role may name, without the `*` that no call has. */
export function callablePaths(accessList: readonly string[]): string[] {
  const bare = accessList.map((component) => component.replace(/\*$/, '').replace(/\/$/, ''));
  return [...new Set(bare)].filter((path) => path !== '' && !path.includes('*'));
}
