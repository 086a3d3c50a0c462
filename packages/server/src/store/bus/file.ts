// Notices of SQLite: none are written. The file itself tells whether another process wrote to it, which costs a write
// nothing and cannot be missed. It does not tell what changed, so everything is dropped.
import { allChanged } from './bus.ts';
import type { Notices } from './polled.ts';

/** `version` returns a number that changes when another process committed something. */
export function createFileNotices(version: () => number): Notices {
  let last = version();
  return {
    async read() {
      const current = version();
      if (current === last) return [];
      last = current;
      return [allChanged];
    },
    async write() {},
    async close() {},
  };
}
