// What calls of services elsewhere have in common: their turns, the instances that they have passed, the lookup keys that stand in
// what is sent, and what tells callers apart where answers are kept.
import { fail, fillBraces } from '@sluice/contract';
import { platformNames, sessionLookup } from '../../access/lookups.ts';
import { nameInModifier, withModifiers } from '../../access/modifiers.ts';
import type { Call } from '../../call/call.ts';
import { type CallSlots, createCallSlots } from '../../call/call-slots.ts';
import { nextHop } from '../../call/hops.ts';
import type { ScriptLookups } from '../../scripts/lookups.ts';

/** Calls that wait for the head of an answer at a time, and milliseconds that one waits for its turn. */
const maxCalls = 64;
const waitTime = 30_000;
const maxWaiting = 500;
/** Instances that a call may pass on its way. */
const maxHops = 5;
/** Shorter values would hide parts of common words. */
const minSecret = 4;

/** The turns of the calls of one service elsewhere. */
export const createRemoteSlots = (): CallSlots =>
  createCallSlots({ total: maxCalls, kept: 8, maxWaiting, waitTime, busy: () => fail('remote.busy') });

/** The header of a call that is made for this one (`hopsHeader`); throws where it has passed too many instances. */
export function hopOf(call: Call): string {
  const { header, count } = nextHop(call);
  if (count > maxHops) throw fail('remote.loop', { limit: maxHops });
  return header;
}

/** Puts lookup keys into what is sent. */
export interface Fills {
  /** Into the configuration, which administrators write: private keys, too. */
  rule(text: string): string;
  /** Into what a caller sends: keys that they may see. */
  sent(text: string): string;
}

/**
 * Private keys are for the values of rules, which an administrator wrote; in what callers send stand those that they may see: the
 * remote service could show them the others.
 */
export function fillsOf(call: Call, lookups: ScriptLookups): Fills {
  const visible = sessionLookup(call);
  const stored = withModifiers((name) => lookups.find(name));
  const any = (name: string) => (platformNames.test(nameInModifier(name)) ? visible(name) : stored(name.trim()));
  return { rule: (text) => fillBraces(text, any), sent: (text) => fillBraces(text, visible) };
}

/** A text of a service elsewhere without private values, which it may repeat. */
export const hideSecrets = (text: string, { secret }: ScriptLookups): string =>
  Object.values(secret)
    .filter(({ length }) => length >= minSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((hidden, value) => hidden.replaceAll(value, '**********'), text);

/** Who calls, and by which name of this instance: kept answers are for one of these. */
export function cacheScope({ baseUrl, caller }: Call): unknown[] {
  const { user, app, role, requestor } = caller;
  return [baseUrl, requestor, app?.id, role?.id, user?.id];
}
