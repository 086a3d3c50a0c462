import { type Soon, soon } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';
import { verdictOf } from './verdict.ts';

/** Lets the call pass or refuses it. The list of services always passes; it shows what the caller may touch. */
export function authorizeCall(call: Call, { services }: Platform): Soon<undefined> {
  if (call.service === '') return undefined;
  return soon(services.addressed(call.service), (addressed) => {
    const { caller, verb, service, path } = call;
    const { decision, refusal } = verdictOf({ caller, verb, service, path, addressed });
    if (refusal) throw refusal;
    call.decision = decision;
    return undefined;
  });
}
