import { chain, type Failure, fail, type MaybePromise } from '@sluice/contract';
import { componentOf } from '../access/decide.ts';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';
import { verdictOf } from './verdict.ts';

/** Lets the call pass or refuses it. The list of services always passes; it shows what the caller may touch. */
export function authorizeCall(call: Call, { services }: Platform): MaybePromise<undefined> {
  if (call.service === '') return undefined;
  return chain(services.addressed(call.service), (addressed) => {
    const { caller, verb, service, path } = call;
    const { decision, refusal } = verdictOf({ caller, verb, service, path, addressed });
    if (refusal) throw call.depth ? asInside(refusal, call) : refusal;
    call.decision = decision;
    return undefined;
  });
}

/** A call inside another is refused in the words for such calls (contract/role-access.md §3). */
const asInside = (refusal: Failure, { verb, service, path }: Call): Failure =>
  refusal.key === 'access.denied'
    ? fail('access.deniedInside', { verb, component: componentOf(path), service })
    : refusal;
