// Whether a call may be made, once caller and service are known: all checks, in order. Pure: the gateway acts on the
// verdict, and system/access/explain shows it.
import type { Failure, Verb } from '@sluice/contract';
import { judge, type Verdict } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import { type AddressedService, unavailableReason } from '../service/registry.ts';

/** A call to be decided. */
export interface Candidate {
  caller: Caller;
  verb: Verb;
  /** Lower-cased name of the service. */
  service: string;
  path: string;
  /** Absent when no service has that name. */
  addressed: AddressedService | undefined;
}

/** What decides besides the role, in order; the first refusal is the answer. */
const checks: ((candidate: Candidate) => Failure | undefined)[] = [
  ({ service, addressed }) => unavailableReason(service, addressed),
];

/** The verdict on a call: that of the role first, so that strangers do not learn which services there are. */
export function verdictOf(candidate: Candidate): Verdict {
  const { caller, verb, service, path, addressed } = candidate;
  const verdict = judge(caller, verb, service, path, addressed);
  if (verdict.refusal) return verdict;
  for (const check of checks) {
    const refusal = check(candidate);
    if (refusal) return { ...verdict, refusal };
  }
  return verdict;
}
