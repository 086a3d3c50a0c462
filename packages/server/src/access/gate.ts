// The gate in front of every service: roles first, then what is public, then the refusal that fits
// (contract/http-basics.md §4).
import { allVerbs, type Failure, fail, requestorMask, type Verb } from '@sluice/contract';
import type { Caller } from '../call/call.ts';
import { componentOf, type Decision, decide, fullAccess, noAccess, serviceMask } from './decide.ts';
import { type Grant, grantsAt } from './named-components.ts';

/** What the gate needs of the addressed service without opening it; undefined for an unknown name. */
export interface GateTarget {
  /** Whether a verb on a component needs no credentials: sign-in, the environment and the like. */
  isPublic(component: string, verb: Verb): boolean;
}

/** The gate's decision on a call, and why. */
export interface Verdict {
  decision: Decision;
  /** Passes because it is public. */
  isPublic: boolean;
  /** The failure for the caller; absent when the call passes. */
  refusal?: Failure;
}

/** Decides a call at the gate: the one place where calls of every door pass or are refused. */
export function judge(
  caller: Caller,
  verb: Verb,
  service: string,
  path: string,
  target: GateTarget | undefined,
): Verdict {
  const component = componentOf(path);
  const decision = decideFor(caller, verb, service, component);
  if (decision.allowed) return { decision, isPublic: false };
  if (target?.isPublic(component, verb)) return { decision: { ...decision, allowed: true }, isPublic: true };
  return { decision, isPublic: false, refusal: refusal(caller, verb, service, component) };
}

/** Decides for a caller: administrators may do everything, an inactive or missing role grants nothing. */
export function decideFor(caller: Caller, verb: Verb, service: string, component: string): Decision {
  if (caller.user?.isAdmin) return fullAccess;
  if (!caller.role?.isActive) return noAccess;
  return decide(caller.role.access, { service, component, verb, requestor: caller.requestor });
}

/** The verbs a caller has on a component, for lists and `include_access` (contract/role-access.md §4). */
export function maskOf(caller: Caller, service: string, path: string): number {
  return decideFor(caller, 'GET', service, componentOf(path)).mask;
}

/** The verbs a caller has anywhere in a service: whether it is shown in lists of services. */
export function maskOfService(caller: Caller, service: string): number {
  if (caller.user?.isAdmin) return allVerbs;
  return caller.role?.isActive ? serviceMask(caller.role.access, service, caller.requestor) : 0;
}

/** What the caller's role names in a service, with the verbs it gives there; everything for administrators. */
export function grantsOfService(caller: Caller, service: string): Grant[] {
  if (caller.user?.isAdmin) return [{ component: '*', mask: allVerbs }];
  if (!caller.role?.isActive) return [];
  const bit = requestorMask[caller.requestor];
  return caller.role.access
    .filter((row) => (row.service === service || row.service === null) && (row.requestorMask & bit) !== 0)
    .map(({ component, verbMask }) => ({ component, mask: verbMask }));
}

/** Those that may be about addresses of the service that begin with these parts; not for administrators, who need none. */
export function grantsBelow(caller: Caller, service: string, start: readonly string[]): Grant[] {
  return caller.role?.isActive ? grantsAt(caller.role.access, service, caller.requestor, start) : [];
}

function refusal(caller: Caller, verb: Verb, service: string, component: string): Failure {
  const isKnown = caller.hasSentToken || caller.user !== undefined;
  if (!caller.hasSentKey && !isKnown) return fail('access.noCredentials');
  if (!caller.role) {
    if (!caller.hasSentKey) return fail('access.noKey');
    return isKnown ? fail('access.noRole') : fail('access.noToken');
  }
  if (!caller.role.isActive) return fail('access.roleInactive');
  if (!caller.user) return fail('access.notAuthenticated');
  return fail('access.denied', { verb, component, service });
}
