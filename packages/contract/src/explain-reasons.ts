// The sentences of an explanation: data, so that clients can translate them. Each has an id; a
// template has {{blanks}}. Ids are never renamed.
import type { ExplainedRow } from './explain.ts';
import { requestorMask, verbsOf } from './verbs.ts';

/** English. The server answers these as `reasons`; other clients fill in templates of their own. */
export const explainSentences = {
  // ---- who calls ----
  nobody: 'Nobody is signed in, and the call comes without an API key.',
  somebody: 'Somebody is signed in who has the role "{{role}}".',
  notSignedIn: 'Nobody is signed in.',
  administrator: 'The caller is "{{name}}" ({{email}}), an administrator.',
  administratorInactive: 'The caller is "{{name}}" ({{email}}), an administrator, and is not active.',
  user: 'The caller is "{{name}}" ({{email}}), a user.',
  userInactive: 'The caller is "{{name}}" ({{email}}), a user, and is not active.',
  app: 'The call comes with the API key of the app "{{app}}".',
  appInactive: 'The call comes with the API key of the app "{{app}}", which is not active.',
  noApp: 'The call comes without an API key, so no app is known.',
  // ---- which role ----
  rolesNeedApp: 'Roles are given for an app: without an API key there is none.',
  personHasNoRole: 'The person has no role of their own for this app, and the app has no default role.',
  appHasNoRole: 'The app has no default role.',
  ownRole: 'For this app the person has the role "{{role}}".',
  ownRoleInactive: 'For this app the person has the role "{{role}}", which is not active and gives nothing.',
  defaultRoleOfPerson: 'The person has no role of their own for this app, so its default role counts: "{{role}}".',
  defaultRoleOfPersonInactive:
    'The person has no role of their own for this app, so its default role counts: "{{role}}", which is not active and gives nothing.',
  defaultRole: 'The app\'s default role counts: "{{role}}".',
  defaultRoleInactive: 'The app\'s default role counts: "{{role}}", which is not active and gives nothing.',
  roleInactive: 'The role "{{role}}" is not active and gives nothing.',
  // ---- what decided ----
  administratorMay: 'Administrators may do everything; no role is asked.',
  refusedBefore: 'Already who calls is refused: {{message}}',
  exception: '{{verb}} on {{target}} is open to everybody; no role is needed.',
  none: "None of the role's rows matches {{target}}.",
  noneButOthers: "None of the role's rows matches {{target}}. Rows that do not count for {{requestor}}: {{others}}.",
  exact: 'Rows for exactly this component decide: {{rows}}.',
  wildcard: 'Rows whose wildcard covers this component decide together: {{rows}}.',
  service: "At the root of a service its rows for '*' decide: {{rows}}.",
  all: 'No row of this service matches, so rows for all services decide: {{rows}}.',
  outrank: 'They outrank {{rows}}.',
  give: 'Together they give {{verbs}}.',
  giveButOthers: 'Together they give {{verbs}}. Rows that do not count for {{requestor}}: {{others}}.',
  // ---- records ----
  filter: 'Only records that match the filter of row {{row}} are reached: {{filter}}.',
  recordUnfiltered: 'No record filter applies, so every record passes.',
  changePasses: 'The change passes the record filter.',
  recordPasses: 'The record passes the record filter.',
  changeFails: 'The change does not pass the record filter and is refused.',
  recordFails: 'The record does not pass the record filter and is refused.',
  recordUnseen: 'The record does not pass the record filter for certain: to this caller it is not there.',
  // ---- limits; {{period}} is minute, hour, day, 7-day or 30-day ----
  limitCounts: 'It counts under the limit "{{limit}}": {{remaining}} of {{max}} calls are left (per {{period}}).',
  limitFull:
    'The limit "{{limit}}" refuses it: all {{max}} calls (per {{period}}) are made, and this one would lock it for a whole period.',
  limitLocked:
    'The limit "{{limit}}" refuses it: it allows {{max}} calls (per {{period}}), and is locked for {{seconds}} more seconds.',
  limitOverridden:
    'The limit "{{limit}}" ({{max}} calls per {{period}}) counts it but refuses nothing here, since another limit is more specific.',
  // ---- what it amounts to ----
  actsAsAdministrator:
    'A caller who may do this acts as an administrator: services and scripts run with the rights of others.',
  // ---- the verdict ----
  allowed: '{{verb}} on {{target}} is allowed.',
  refused: '{{verb}} on {{target}} is refused: {{status}} {{message}}',
} as const;

/** What stands in their blanks {{target}}, {{verbs}}, {{rows}} and {{others}}. */
export const explainPhrases = {
  theService: "the service '{{service}}'",
  theComponent: "'{{component}}' of the service '{{service}}'",
  noVerbAtAll: 'no verb at all',
  row: "row {{number}} ('{{component}}' of {{where}}: {{verbs}})",
  rowOfRequestor: "row {{number}} ('{{component}}' of {{where}}: {{verbs}}, requester {{requesters}})",
  allServices: 'all services',
  noVerb: 'no verb',
  noRequester: 'nobody',
  more: '{{rows}} and {{count}} more',
} as const;

export type ExplainSentenceId = keyof typeof explainSentences;

/** Rows as a sentence lists them: the first few, and how many more there are. */
export interface ListedRows {
  listed: Pick<ExplainedRow, 'number' | 'service' | 'component' | 'verb_mask' | 'requestor_mask'>[];
  more: number;
}

/** A sentence as data: its id, and what goes into its blanks. */
export interface ExplainReason {
  id: ExplainSentenceId;
  values?: Record<string, string | number>;
  target?: { service: string; component: string };
  verb_mask?: number;
  rows?: ListedRows;
  others?: ListedRows;
}

/** Fills a template in some language. */
export type FillTemplate = (
  kind: 'sentences' | 'phrases',
  id: string,
  values: Record<string, string | number>,
) => string;

/** A sentence in the language of `fill`. */
export function tellReason({ id, values, target, verb_mask, rows, others }: ExplainReason, fill: FillTemplate): string {
  return fill('sentences', id, {
    ...values,
    ...(target ? { target: fill('phrases', target.component === '' ? 'theService' : 'theComponent', target) } : {}),
    ...(verb_mask === undefined ? {} : { verbs: verbsOf(verb_mask).join(', ') || fill('phrases', 'noVerbAtAll', {}) }),
    ...(rows ? { rows: listRows(rows, fill) } : {}),
    ...(others ? { others: listRows(others, fill) } : {}),
  });
}

function listRows({ listed, more }: ListedRows, fill: FillTemplate): string {
  const rows = listed
    .map(({ number, service, component, verb_mask, requestor_mask }) =>
      fill('phrases', requestor_mask === requestorMask.API ? 'row' : 'rowOfRequestor', {
        number,
        component,
        where: service === null ? fill('phrases', 'allServices', {}) : `'${service}'`,
        verbs: verbsOf(verb_mask).join(', ') || fill('phrases', 'noVerb', {}),
        requesters: requestersOf(requestor_mask).join(', ') || fill('phrases', 'noRequester', {}),
      }),
    )
    .join('; ');
  return more > 0 ? fill('phrases', 'more', { rows, count: more }) : rows;
}

const requestersOf = (mask: number): string[] =>
  Object.entries(requestorMask).flatMap(([name, bit]) => ((mask & bit) !== 0 ? [name] : []));

/** A template with its blanks filled in; a blank without a value stays. */
export const fillBlanks = (template: string, values: Record<string, string | number>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : blank,
  );

const english = {
  sentences: new Map<string, string>(Object.entries(explainSentences)),
  phrases: new Map<string, string>(Object.entries(explainPhrases)),
};

/** A sentence in English. */
export const tellInEnglish = (reason: ExplainReason): string =>
  tellReason(reason, (kind, id, values) => fillBlanks(english[kind].get(id) ?? id, values));
