// Changes that somebody prepared and did not bring to an end: the database tells what became of them (docs/adr/0014).
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, type TableDescription } from '@sluice/contract';
import type { SchemaChangeFacts, UnfinishedChange } from '../extras/index.ts';
import type { DatabaseParts } from '../parts.ts';
import { isAliasMove } from '../usage/index.ts';
import type { TableChange } from './table-state.ts';

/** Milliseconds a change can take; one that is older is under way nowhere. */
const longestChange = 900_000;
/** Milliseconds a commit may be under way whose process has ended. */
const commitPatience = 3000;

/**
 * When they are met: extras are `read`; a change is about to `write`; or it has its `turn`, where each statement commits by
 * itself, and nobody else changes the database.
 */
export type Moment = 'read' | 'write' | 'turn';

/** Saves what was done and drops what was not, as far as that is certain. Answers whether anything was saved. */
export async function settleUnfinished(parts: DatabaseParts, moment: Moment): Promise<boolean> {
  const { extras, usage } = parts;
  const { log } = parts.context;
  let isAnySaved = false;
  for (const change of await extras.unfinished()) {
    // Between two of its statements its tables are already others.
    if (change.isStepwise && moment !== 'turn' && !change.isOwnerGone && change.age() < longestChange) continue;
    let isDone = await wasDone(change, parts);
    // Nobody waits who only reads: what is not done yet is shown as it is, whatever becomes of it.
    const isAwaited = moment === 'write' && !change.isStepwise;
    while (!isDone && isAwaited && change.age() < commitPatience) {
      await sleep(100);
      isDone = await wasDone(change, parts);
    }
    if (!isDone) {
      if (isAwaited || moment === 'turn' || change.age() > longestChange) await change.drop();
      continue;
    }
    const publish = await change.finish(usage.follow).catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      // It would be refused for ever.
      log.error({ err: error, change: change.content }, 'What the service says of a changed table could not be saved.');
      await change.drop();
      return undefined;
    });
    if (!publish) continue;
    isAnySaved = true;
    parts.gate.raise();
    (await parts.database()).dropDescriptions();
    await extras.announceSchemaChange();
    await publish();
  }
  return isAnySaved;
}

/** Like that, for those who read: where it fails they see what is stored. */
export async function settleForReader(parts: DatabaseParts): Promise<void> {
  try {
    await settleUnfinished(parts, 'read');
  } catch (error) {
    parts.context.log.warn({ err: error }, 'What became of a change of the database is not known yet.');
  }
}

/** A change is whole: one of its tables is enough. */
async function wasDone({ tables, isHidden, moves }: UnfinishedChange, parts: DatabaseParts): Promise<boolean> {
  // Aliases are the service's own: they may be saved whether or not the database did its part.
  if (isHidden) return moves.every(({ table, moves }) => moves.every((move) => isAliasMove(table.table, move)));
  const current = await fingerprintsOf(
    tables.map(([name]) => name),
    parts,
  );
  return tables.some(([, fingerprint], index) => current[index]?.[1] !== fingerprint);
}

// ---- telling whether a table is another one ----

/** What the database says of tables now. */
export async function fingerprintsOf(
  names: readonly string[],
  { tables }: Pick<DatabaseParts, 'tables'>,
): Promise<SchemaChangeFacts['tables']> {
  const fingerprints: SchemaChangeFacts['tables'] = [];
  for (const [index, name] of names.entries()) {
    try {
      const { description } = await tables.withoutOverrides(name, { refresh: index === 0 });
      fingerprints.push([name, fingerprintOf(description)]);
    } catch (error) {
      if (!(error instanceof Failure) || error.key !== 'table.unknown') throw error;
      fingerprints.push([name, null]);
    }
  }
  return fingerprints;
}

/** Without what other tables say of it, which may change beside it. */
function fingerprintOf({ name, primary_key, field, constraints }: TableDescription): string {
  return createHash('sha256')
    .update(JSON.stringify([name, primary_key, field, constraints]))
    .digest('base64');
}

/** Whether no description will show it. */
export const isHidden = (changes: readonly TableChange[]): boolean =>
  changes.every(
    ({ before, after }) => before && after && fingerprintOf(before.description) === fingerprintOf(after.description),
  );
