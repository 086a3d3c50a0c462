// How often a call went through an instance like this one, on its way by calls to other servers: one that leads to itself would go
// round without end. The header is that of RFC 8586.

import type { Call } from './call.ts';
import { createKey } from './typed-map.ts';

/** The header that outgoing calls have, by its lower-case name. */
export const hopsHeader = 'cdn-loop';

const ownName = 'sluice';

/** Of a call inside another, those of the outermost. */
export const inheritedHops = createKey<string>('the hops of the outer call');

/** The value of the header for a call that is made for this one, and how many instances that one has passed, this one included. */
export function nextHop(call: Pick<Call, 'header' | 'state'>): { header: string; count: number } {
  const before = hopsOf(call)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const header = [...before, ownName].join(', ');
  return { header, count: 1 + before.filter((part) => part.split(';')[0]?.trim() === ownName).length };
}

/** The header as this call came with it. */
export const hopsOf = (call: Pick<Call, 'header' | 'state'>): string =>
  call.state.get(inheritedHops) ?? call.header(hopsHeader) ?? '';
