// A decision in plain sentences, in the order it was made.
import { type ExplainedRow, type Explanation, requestorMask, verbsOf } from '@sluice/contract';

/** The sentences of an answer; `rows` are all rows of the role that speak of the service, not only those answered. */
export function reasonsOf(explanation: Explanation, rows: ExplainedRow[]): string[] {
  return [
    ...describeCaller(explanation),
    ...describeRole(explanation),
    ...describeDecision(explanation, rows),
    ...describeFilter(explanation),
    describeVerdict(explanation),
  ];
}

function describeCaller({ caller: { kind, user, app, role } }: Explanation): string[] {
  const through = app
    ? `The call comes with the API key of the app "${app.name}"${app.is_active ? '.' : ', which is not active.'}`
    : 'The call comes without an API key, so no app is known.';
  switch (kind) {
    case 'nobody':
      return ['Nobody is signed in, and the call comes without an API key.'];
    case 'role':
      return [`Somebody is signed in who has the role "${role?.name}".`];
    case 'app':
      return ['Nobody is signed in.', through];
    default: {
      const kindText = kind === 'administrator' ? 'an administrator' : 'a user';
      const state = user?.is_active ? '.' : ', and is not active.';
      return [`The caller is "${user?.name}" (${user?.email}), ${kindText}${state}`, through];
    }
  }
}

function describeRole({ caller: { kind, user, app, role, role_from }, decided_by }: Explanation): string[] {
  if (decided_by === 'administrator' || kind === 'nobody') return [];
  if (!role) {
    if (kind === 'administrator') return [];
    if (!app) return ['Roles are given for an app: without an API key there is none.'];
    return [
      user
        ? 'The person has no role of their own for this app, and the app has no default role.'
        : 'The app has no default role.',
    ];
  }
  const state = role.is_active ? '.' : ', which is not active and gives nothing.';
  if (role_from === 'user') return [`For this app the person has the role "${role.name}"${state}`];
  if (role_from === 'app') {
    const why = user ? 'The person has no role of their own for this app, so its' : "The app's";
    return [`${why} default role counts: "${role.name}"${state}`];
  }
  return role.is_active ? [] : [`The role "${role.name}" is not active and gives nothing.`];
}

const decisionReasons = {
  exact: 'Rows for exactly this component decide',
  wildcard: 'Rows whose wildcard covers this component decide together',
  service: "At the root of a service its rows for '*' decide",
  all: 'No row of this service matches, so rows for all services decide',
} as const;

function describeDecision(
  { decided_by, call, caller, verb_mask, refusal }: Explanation,
  rows: ExplainedRow[],
): string[] {
  const component = describeComponent(call);
  switch (decided_by) {
    case 'administrator':
      return ['Administrators may do everything; no role is asked.'];
    case 'refused':
      return caller.role &&
        !caller.role.is_active &&
        caller.user?.is_active !== false &&
        caller.app?.is_active !== false
        ? []
        : [`Already who calls is refused: ${refusal?.message}`];
    case 'exception':
      return [`${call.verb} on ${component} is open to everybody; no role is needed.`];
    case 'none':
      return caller.role ? [`None of the role's rows matches ${component}.${describeOtherRequestors(call, rows)}`] : [];
    default: {
      const counted = rows.filter((row) => row.counts);
      const outranked = rows.filter((row) => row.why === 'outranked');
      const verbs = verbsOf(verb_mask).join(', ') || 'no verb at all';
      return [
        `${decisionReasons[decided_by]}: ${listRows(counted)}.`,
        ...(outranked.length > 0 ? [`They outrank ${listRows(outranked)}.`] : []),
        `Together they give ${verbs}.${describeOtherRequestors(call, rows)}`,
      ];
    }
  }
}

/** Rows that would match but are for another requestor: these take people longest to find. */
function describeOtherRequestors({ requestor }: Explanation['call'], rows: ExplainedRow[]): string {
  const otherRows = rows.filter((row) => row.why === 'requestor');
  return otherRows.length > 0 ? ` Rows that do not count for ${requestor}: ${listRows(otherRows)}.` : '';
}

const maxListedRows = 5;

function listRows(rows: ExplainedRow[]): string {
  const names = rows.slice(0, maxListedRows).map((row) => {
    const where = row.service === null ? 'all services' : `'${row.service}'`;
    const verbs = verbsOf(row.verb_mask).join(', ') || 'no verb';
    const requestorNote = row.requestor_mask === requestorMask.API ? '' : `, requestor mask ${row.requestor_mask}`;
    return `row ${row.id} ('${row.component}' of ${where}: ${verbs}${requestorNote})`;
  });
  return rows.length > maxListedRows ? `${names.join('; ')} and ${rows.length - maxListedRows} more` : names.join('; ');
}

function describeFilter({ filter, record }: Explanation): string[] {
  const recordReasons = record ? [record.text] : [];
  if (!filter) return recordReasons;
  return [`Only records that match the filter of row ${filter.row_id} are reached: ${filter.text}.`, ...recordReasons];
}

function describeVerdict({ allowed, refusal, call }: Explanation): string {
  const attempt = `${call.verb} on ${describeComponent(call)}`;
  return allowed ? `${attempt} is allowed.` : `${attempt} is refused: ${refusal?.status} ${refusal?.message}`;
}

const describeComponent = ({ service, component }: Explanation['call']): string =>
  component === '' ? `the service '${service}'` : `'${component}' of the service '${service}'`;
