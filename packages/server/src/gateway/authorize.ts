import { authorize } from '../access/gate.ts';
import type { Platform } from '../platform.ts';
import type { Call } from './call.ts';

/** Lets the call pass or refuses it. The list of services always passes; it shows what the caller may touch. */
export async function authorizeCall(call: Call, { services }: Platform): Promise<undefined> {
  if (call.service === '') return;
  const addressed = await services.addressed(call.service);
  authorize(call.caller, call.verb, call.service, call.path, addressed);
}
