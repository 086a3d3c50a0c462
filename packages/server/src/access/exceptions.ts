// Calls that need no role, no key and no token (contract/http-basics.md §4, docs/design.md "Identity" for set-up).
import type { Verb } from '@sluice/contract';

const all: Verb[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Exception {
  type: string;
  component: string;
  verbs: Verb[];
}

export const exceptions: Exception[] = [
  { type: 'system', component: 'admin/session', verbs: all },
  { type: 'system', component: 'admin/password', verbs: ['POST'] },
  { type: 'system', component: 'admin/setup', verbs: ['POST'] },
  { type: 'system', component: 'environment', verbs: ['GET'] },
  { type: 'user', component: 'session', verbs: all },
  { type: 'user', component: 'password', verbs: ['POST'] },
  { type: 'user', component: 'profile', verbs: ['GET', 'POST', 'PUT', 'PATCH'] },
];

/** Whether a call passes the gate without any credential. */
export function isException(type: string, component: string, verb: Verb): boolean {
  return exceptions.some((it) => it.type === type && it.component === component && it.verbs.includes(verb));
}
