// Changing the schema of a SQLite file. This side hands changes to a child process, which plans them on a copy of the
// schema (plan.ts, alter.ts) and carries them out in one transaction (carry-out.ts); create-table.ts edits the texts
// tables are made of.
import { type Failure, fail } from '@sluice/contract';
import {
  type ApplyOptions,
  type DescribedType,
  type EditOptions,
  misfitFailure,
  type SchemaChange,
  type SchemaEditor,
  type SchemaPlan,
  type TypeDefinition,
} from '../../../change/index.ts';
import type { Problem } from '../driver/index.ts';
import { type ChangeData, type ChangeReport, type ChangeTask, changeData, type Refusal, RefusalError } from './task.ts';
import { describeType, isKnownType } from './type-words.ts';

/** What the editor needs of its file. */
export interface ChangeableFile {
  /** Whether a child process can open it. */
  isShared: boolean;
  /** Runs a change in a child: one report, and the commit when asked for the next. Throws `RefusalError` and failures. */
  change(task: ChangeTask, options: EditOptions): AsyncGenerator<ChangeReport>;
}

/** Milliseconds a change may take. */
const defaultTimeout = 600_000;
const defaultLockTimeout = 10_000;

export class SqliteSchemaEditor implements SchemaEditor {
  private readonly file: ChangeableFile;
  private readonly onChange: () => void;
  /** The change that is carried out, and those that wait for it: only one can write the file. */
  private last: Promise<unknown> = Promise.resolve();

  /** `onChange` drops what was read of the schema before. */
  constructor(file: ChangeableFile, onChange: () => void) {
    this.file = file;
    this.onChange = onChange;
  }

  isKnownType(type: string): boolean {
    return isKnownType(type);
  }

  describeType(type: TypeDefinition): DescribedType | undefined {
    return describeType(type);
  }

  async plan(
    changes: readonly SchemaChange[],
    { timeout = defaultTimeout, caller }: EditOptions = {},
  ): Promise<SchemaPlan[]> {
    if (changes.length === 0) return [];
    return await this.runTask(changes, { isApplied: false, lockTimeout: defaultLockTimeout, timeout, caller });
  }

  async apply(changes: readonly SchemaChange[], options: ApplyOptions = {}): Promise<SchemaPlan[]> {
    if (changes.length === 0) return [];
    const { timeout = defaultTimeout, lockTimeout = defaultLockTimeout, beforeCommit } = options;
    const startedAt = performance.now();
    const earlier = this.last;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.last = earlier.then(() => ended);
    try {
      await within(earlier, lockTimeout, () => busyFailure(changes, lockTimeout));
      const remaining = Math.max(0, Math.round(lockTimeout - (performance.now() - startedAt)));
      return await this.runTask(
        changes,
        { isApplied: true, lockTimeout: remaining, timeout },
        { lockTimeout, beforeCommit },
      );
    } finally {
      end();
      this.onChange();
    }
  }

  private async runTask(
    changes: readonly SchemaChange[],
    { timeout, caller, ...parts }: { isApplied: boolean; lockTimeout: number } & EditOptions,
    { lockTimeout = parts.lockTimeout, beforeCommit }: Pick<ApplyOptions, 'lockTimeout' | 'beforeCommit'> = {},
  ): Promise<SchemaPlan[]> {
    const data = changes.map(changeData);
    if (!this.file.isShared)
      throw fail('schema.unsupported', { table: tableOf(data), problem: 'the database is in memory' });
    let plans: SchemaPlan[] = [];
    try {
      for await (const report of this.file.change({ kind: 'change', changes: data, ...parts }, { timeout, caller })) {
        plans = report.plans;
        await beforeCommit?.(plans);
      }
    } catch (error) {
      if (error instanceof RefusalError) throw refusalFailure(error.refusal, tableOf(data), lockTimeout);
      throw error;
    }
    return plans;
  }
}

const tableOf = ([first]: readonly ChangeData[]): string => first?.name ?? '';

const busyFailure = (changes: readonly SchemaChange[], lockTimeout: number): Failure =>
  refusalFailure({ kind: 'busy' }, tableOf(changes.map(changeData)), lockTimeout);

function refusalFailure(refusal: Refusal, table: string, lockTimeout: number): Failure {
  switch (refusal.kind) {
    case 'unsupported':
      return fail('schema.unsupported', { table: refusal.table, problem: refusal.problem });
    case 'misfit':
      return misfitFailure(refusal.table, refusal.misfits);
    case 'unknownTable':
      return fail('table.unknown', { table: refusal.table.slice(0, 200) });
    case 'changed':
      return fail('database.changed', { text: refusal.text });
    case 'busy':
      return fail('schema.busy', { table, seconds: lockTimeout / 1000 });
  }
}

/** Waits for a promise that never rejects, up to a limit. */
async function within(promise: Promise<unknown>, ms: number, failure: () => Failure): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure()), ms);
  });
  try {
    await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What SQLite refuses of a change, in its own words: what is missing is missing in what was sent, and no description is to blame.
 */
export const refusedChange = ({ code, text }: Problem, cause: unknown): Failure =>
  fail('record.database', { text }, { cause, code });
