// Notices of SQLite: none are left. The file itself tells whether another process wrote to it, which costs a write
// nothing and can not be missed; what changed it does not tell, so everything is dropped.
import { anything } from './bus.ts';
import type { Notices } from './polled.ts';

/** `version` answers a number that changes when another process committed something. */
export function fileNotices(version: () => number): Notices {
  let last = version();
  return {
    async read() {
      const now = version();
      if (now === last) return [];
      last = now;
      return [anything];
    },
    async write() {},
    async close() {},
  };
}
