// What roles may name of a service whose addresses are those of its definition (contract/services-other.md §1).
import type { Call } from '../call/call.ts';
import { naturally } from '../call/natural-order.ts';
import { callerMask } from '../service/root.ts';
import type { DefinedOperation } from './definition.ts';

/** The paths of a definition and the levels above them, as far as the caller may use them. */
export function definedAccessList(operations: readonly Pick<DefinedOperation, 'path'>[], call: Call): string[] {
  const paths = operations.map(({ path }) => path).filter((path) => path !== '');
  const levels = paths.flatMap((path) => {
    const parts = path.split('/');
    return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('/')}/*`);
  });
  const visible = [...new Set([...paths, ...levels])].filter((component) => callerMask(call, component) !== 0);
  return [...(callerMask(call, '') === 0 ? [] : ['', '*']), ...visible.sort(naturally)];
}
