import { readRows, readValues } from './read.ts';
import type { Sqlite } from './sqlite.ts';
import type { Results, WholeTask } from './task.ts';
import { writeAll } from './write.ts';

/** Does a task. Throws driver errors and `TooLarge`. */
export function perform<T extends WholeTask>(database: Sqlite, task: T): Results[T['kind']];
export function perform(database: Sqlite, task: WholeTask): Results[WholeTask['kind']] {
  switch (task.kind) {
    case 'rows':
      return readRows(database, task);
    case 'raw':
      return { rows: readValues(database, task.statement) };
    case 'writes':
      return { results: writeAll(database, task.writes, task.mode) };
  }
}
