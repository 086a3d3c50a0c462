// Endpoints of limits: which paths of a service can be named, and which a name covers (contract/limits.md §4). Pure.
import { trimSlashes } from '@sluice/contract';

/**
 * What an access list offers as endpoints: its paths without the slashes at their ends, and those below them as `path/*`.
 * The root and what stands for everything are not among them: leaving the field empty, or a limit of the service, say that.
 */
export const offeredEndpoints = (accessList: readonly string[]): string[] =>
  [...new Set(accessList.map(trimSlashes))].filter((path) => path !== '' && path !== '*');

export type Coverage =
  /** Calls of the service itself. */
  | { kind: 'root' }
  /** Calls of just this path; `isKnown` is false where the service lists no such path. */
  | { kind: 'exact'; path: string; isKnown: boolean }
  /** Calls of all paths that begin with this, under one counter; `paths` are those the service lists. */
  | { kind: 'prefix'; prefix: string; paths: string[]; ignored: string };

/** What an endpoint covers, of the paths that a service offers (`offeredEndpoints`); letters count as they are written. */
export function coverageOf(endpoint: string, offered: readonly string[]): Coverage {
  const path = trimSlashes(endpoint.trim());
  if (path === '') return { kind: 'root' };
  const star = path.lastIndexOf('*');
  const real = offered.filter((candidate) => !candidate.includes('*'));
  if (star < 0) return { kind: 'exact', path, isKnown: real.includes(path) };
  const prefix = path.slice(0, star);
  return {
    kind: 'prefix',
    prefix,
    paths: real.filter((candidate) => candidate.startsWith(prefix)),
    ignored: path.slice(star + 1),
  };
}
