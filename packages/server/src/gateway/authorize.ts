import { type Soon, soon } from '@sluice/contract';
import { judge } from '../access/gate.ts';
import type { Call } from '../call/call.ts';
import type { Platform } from './platform.ts';

/** Lets the call pass or refuses it. The list of services always passes; it shows what the caller may touch. */
export function authorizeCall(call: Call, { services }: Platform): Soon<undefined> {
  if (call.service === '') return undefined;
  return soon(services.addressed(call.service), (addressed) => {
    const { decision, refusal } = judge(call.caller, call.verb, call.service, call.path, addressed);
    if (refusal) throw refusal;
    call.decision = decision;
    return undefined;
  });
}
