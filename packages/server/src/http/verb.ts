// Which verb a request means: the real method, or a POST that stands for another (contract/http-basics.md §5).
import { fail, type Verb, verbMask } from '@sluice/contract';
import type { Query } from '../call/call.ts';

const tunnelHeaders = ['x-http-method', 'x-method-override', 'x-http-method-override'];

/** The verb of a request. HEAD counts as GET, MERGE as PATCH; an unknown tunnelled verb is a 400. */
export function verbOf(method: string, header: (name: string) => string | undefined, query: Query): Verb {
  if (method !== 'POST') return method === 'HEAD' ? 'GET' : method === 'MERGE' ? 'PATCH' : (method as Verb);
  const tunnelledVerb =
    header(tunnelHeaders[0]!) ||
    header(tunnelHeaders[1]!) ||
    query.get('method') ||
    header(tunnelHeaders[2]!) ||
    query.get('_method');
  if (!tunnelledVerb) return 'POST';
  const name = tunnelledVerb.trim().toUpperCase();
  if (name === 'MERGE') return 'PATCH';
  if (name === 'HEAD') return 'GET';
  if (!Object.hasOwn(verbMask, name)) throw fail('http.actionNotSupported', { verb: name.slice(0, 20) });
  return name as Verb;
}
