import { chain, type MaybePromise } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { DefinedPath } from '../openapi/stored.ts';
import type { Match } from '../service/operation.ts';
import type { Platform } from './platform.ts';

/**
 * Finds the operation of an address, once, for all that ask about it: limits, scripts, the handler. An address that leads
 * nowhere is refused by the handler, so that steps before it see such a call, too.
 */
export const matchOperation = (
  call: Call,
  { services, definitions }: Pick<Platform, 'services' | 'definitions'>,
): MaybePromise<undefined> =>
  chain(services.find(call.service), (addressed) => {
    const match = addressed?.type?.routes.match(call.path, call.verb);
    call.match = match;
    if (!addressed || !match?.operation.isDefined) return undefined;
    return chain(definitions.match(addressed.row.id, call.path), (defined) => {
      call.match = definedMatch(match, defined);
      return undefined;
    });
  });

/** The operation at the path of a definition; at none it is that of the service itself. */
function definedMatch({ operation, table }: Match, { path, values }: DefinedPath = { path: '', values: {} }): Match {
  return { operation: { ...operation, path, event: path.replaceAll('/', '.') }, values, table };
}
