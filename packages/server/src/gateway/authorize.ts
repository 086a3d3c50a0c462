import { chain, type Failure, fail, type MaybePromise } from '@sluice/contract';
import { componentOf } from '../access/decide.ts';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';
import { verdictOf } from './verdict.ts';

/** Lets the call pass or refuses it. The list of services always passes; it shows what the caller may use. */
export function authorizeCall(call: Call, { services }: Platform): MaybePromise<undefined> {
  if (call.service === '') return undefined;
  return chain(services.find(call.service), (addressed) => {
    const { caller, verb, service, path } = call;
    const { decision, refusal } = verdictOf({ caller, verb, service, path, addressed });
    if (refusal) throw call.depth ? innerRefusal(refusal, call) : refusal;
    call.decision = decision;
    call.serviceId = addressed?.row.id;
    return undefined;
  });
}

/** The refusal of a call inside another has a message of its own (contract/role-access.md §3). */
const innerRefusal = (refusal: Failure, { verb, service, path }: Call): Failure =>
  refusal.key === 'access.denied'
    ? fail('access.deniedInside', { verb, component: componentOf(path), service })
    : refusal;
