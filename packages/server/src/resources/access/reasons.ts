// A decision in plain sentences, in the order it was made: as data, whose words are contract/src/explain-reasons.ts.
import type { ExplainedRow, ExplainReason, ExplainSentenceId, Explanation, ListedRows } from '@sluice/contract';

/** The sentences of an answer; `rows` are all rows of the role that speak of the service, not only those answered. */
export function reasonsOf(explanation: Omit<Explanation, 'reasons' | 'told'>, rows: ExplainedRow[]): ExplainReason[] {
  return [
    ...describeCaller(explanation),
    ...describeRole(explanation),
    ...describeDecision(explanation, rows),
    ...describeFilter(explanation),
    ...describeLimits(explanation),
    ...describePower(explanation),
    describeVerdict(explanation),
  ];
}

type Decision = Omit<Explanation, 'reasons' | 'told'>;

const sentence = (id: ExplainSentenceId, values?: Record<string, string | number>): ExplainReason =>
  values ? { id, values } : { id };

function describeCaller({ caller: { kind, user, app, role } }: Decision): ExplainReason[] {
  const through = app ? sentence(app.is_active ? 'app' : 'appInactive', { app: app.name }) : sentence('noApp');
  switch (kind) {
    case 'nobody':
      return [sentence('nobody')];
    case 'role':
      return [sentence('somebody', { role: role?.name ?? '' })];
    case 'app':
      return [sentence('notSignedIn'), through];
    default: {
      const id = user?.is_active ? kind : (`${kind}Inactive` as const);
      return [sentence(id, { name: user?.name ?? '', email: user?.email ?? '' }), through];
    }
  }
}

function describeRole({ caller: { kind, user, app, role, role_from }, decided_by }: Decision): ExplainReason[] {
  if (decided_by === 'administrator' || kind === 'nobody') return [];
  if (!role) {
    if (kind === 'administrator') return [];
    if (!app) return [sentence('rolesNeedApp')];
    return [sentence(user ? 'personHasNoRole' : 'appHasNoRole')];
  }
  const origin = (id: 'ownRole' | 'defaultRoleOfPerson' | 'defaultRole') =>
    sentence(role.is_active ? id : `${id}Inactive`, { role: role.name });
  if (role_from === 'user') return [origin('ownRole')];
  if (role_from === 'app') return [origin(user ? 'defaultRoleOfPerson' : 'defaultRole')];
  return role.is_active ? [] : [sentence('roleInactive', { role: role.name })];
}

function describeDecision(
  { decided_by, call, caller, verb_mask, refusal }: Decision,
  rows: ExplainedRow[],
): ExplainReason[] {
  const target = targetOf(call);
  // Rows that would match but are for another requestor: these take people longest to find.
  const otherRows = rows.filter((row) => row.why === 'requestor');
  const others =
    otherRows.length > 0 ? { others: listRows(otherRows), values: { requestor: call.requestor } } : undefined;
  switch (decided_by) {
    case 'administrator':
      return [sentence('administratorMay')];
    case 'refused':
      return caller.role &&
        !caller.role.is_active &&
        caller.user?.is_active !== false &&
        caller.app?.is_active !== false
        ? []
        : [sentence('refusedBefore', { message: refusal?.message ?? '' })];
    case 'exception':
      return [{ id: 'exception', values: { verb: call.verb }, target }];
    case 'none':
      return caller.role ? [{ id: others ? 'noneButOthers' : 'none', target, ...others }] : [];
    default: {
      const outranked = rows.filter((row) => row.why === 'outranked');
      return [
        { id: decided_by, rows: listRows(rows.filter((row) => row.counts)) },
        ...(outranked.length > 0 ? [{ id: 'outrank' as const, rows: listRows(outranked) }] : []),
        { id: others ? 'giveButOthers' : 'give', verb_mask, ...others },
      ];
    }
  }
}

const maxListedRows = 5;

const listRows = (rows: ExplainedRow[]): ListedRows => ({
  listed: rows.slice(0, maxListedRows).map(({ number, service, component, verb_mask, requestor_mask }) => ({
    number,
    service,
    component,
    verb_mask,
    requestor_mask,
  })),
  more: Math.max(0, rows.length - maxListedRows),
});

function describeFilter({ filter, record }: Decision): ExplainReason[] {
  const recordReasons = record?.id ? [sentence(record.id)] : [];
  if (!filter) return recordReasons;
  return [sentence('filter', { row: filter.row_number, filter: filter.text }), ...recordReasons];
}

function describeLimits({ limits = [] }: Decision): ExplainReason[] {
  return limits.map(({ name, max, remaining, period, locked_for, refuses, is_overridden }) => {
    const values = { limit: name, max, remaining, period };
    if (is_overridden) return sentence('limitOverridden', values);
    if (locked_for !== null) return sentence('limitLocked', { ...values, seconds: locked_for });
    return sentence(refuses ? 'limitFull' : 'limitCounts', values);
  });
}

/** Writers of services and scripts act as administrators (SECURITY.md). */
function describePower({ allowed, decided_by, call: { verb, service, component } }: Decision): ExplainReason[] {
  const isWrite = service === 'system' && verb !== 'GET' && /^(service|event_script)(\/|$)/i.test(component);
  return allowed && isWrite && decided_by !== 'administrator' ? [sentence('actsAsAdministrator')] : [];
}

function describeVerdict({ allowed, refusal, call }: Decision): ExplainReason {
  const target = targetOf(call);
  if (allowed) return { id: 'allowed', values: { verb: call.verb }, target };
  const values = { verb: call.verb, status: refusal?.status ?? '', message: refusal?.message ?? '' };
  return { id: 'refused', values, target };
}

const targetOf = ({ service, component }: Explanation['call']) => ({ service, component });
