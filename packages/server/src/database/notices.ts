// Has the writes of a database noticed once they are committed (events/changes.ts), also those that no call makes.
import type { Database, Row, Unit, Write, WriteOutcome } from '@sluice/sql';
import type { ChangeNotices, CommittedChange } from '../events/changes.ts';

/** The same database; its writes are noticed while somebody listens. */
export function noticeWrites(database: Database, service: string, notices: ChangeNotices): Database {
  const write = database.write.bind(database);
  database.write = (writes, mode, options) => {
    const writing = write(writes, mode, options);
    return notices.isHeard
      ? writing.then((outcomes) => {
          notices.raise(committedChanges(service, writes, mode, outcomes));
          return outcomes;
        })
      : writing;
  };
  return database;
}

function committedChanges(
  service: string,
  writes: readonly (Write | Unit)[],
  mode: 'stop' | 'continue' | 'rollback',
  outcomes: readonly WriteOutcome[],
): CommittedChange[] {
  // All of it was undone.
  if (mode === 'rollback' && outcomes.some(({ failure }) => failure)) return [];
  return outcomes.flatMap(({ rows }, index) => {
    const write = writes[index];
    if (!rows || !write) return [];
    if (write.kind !== 'unit') return changeOf(service, write, rows);
    // Of what goes with a record the rows are not answered.
    return write.steps.flatMap((step, at) => changeOf(service, step.write, at === write.main ? rows : undefined));
  });
}

function changeOf(service: string, write: Write, rows: readonly Row[] | undefined): CommittedChange[] {
  if (write.kind === 'refuse' || rows?.length === 0) return [];
  const isUpsert = write.kind === 'update' && write.missing !== undefined && 'kind' in write.missing;
  return [{ service, resource: write.table.name, kind: isUpsert ? 'upsert' : write.kind, rows: rows ?? [] }];
}
