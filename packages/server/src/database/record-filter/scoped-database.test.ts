// The record filter cannot be forgotten: a write that did not go through it does not compile. The type check reads the lines
// marked `@ts-expect-error`, and fails once one of them compiles.
import { Failure } from '@sluice/contract';
import type { BoundFilter, Database, Table, Unit, Write, WriteOutcome } from '@sluice/sql';
import { describe, expect, it } from 'vitest';
import { admin } from '../fixture/call.fixture.ts';
import {
  applyRecordFilter,
  authorizeWrite,
  narrowWrite,
  type ScopedDatabase,
  withRecordFilter,
} from './scoped-database.ts';

const done: unknown[] = [];
/** A database that records its writes. */
const database = {
  write: async (writes: unknown[]): Promise<WriteOutcome[]> => {
    done.splice(0, done.length, ...writes);
    return [];
  },
} as unknown as Database;
const table = { name: 'contact' } as Table;
const condition = (name: string): BoundFilter => ({
  kind: 'null',
  column: { name } as Extract<BoundFilter, { kind: 'null' }>['column'],
  negated: false,
});
const deletion: Write = { kind: 'delete', table, returning: [] };
const whole = applyRecordFilter(database, table, { caller: admin, baseUrl: '' }, undefined);
const filtered = withRecordFilter(database, { where: condition('owner'), permits: () => false });

describe('a forgotten record filter does not compile', () => {
  it('for a write on its own', async () => {
    // @ts-expect-error: the write is not authorized.
    await filtered.write([deletion], 'stop');
    // @ts-expect-error: without a record filter it is the same.
    await whole.write([deletion], 'stop');
    await filtered.write([authorizeWrite(filtered, deletion)], 'stop');
    expect(done).toEqual([{ ...deletion, where: condition('owner') }]);
  });

  it('for a step of a unit', async () => {
    const unit: Unit = { kind: 'unit', steps: [{ write: deletion }], main: 0 };
    // @ts-expect-error: its step is not authorized.
    await filtered.write([unit], 'stop');
    const authorized = { write: authorizeWrite(filtered, deletion) };
    // @ts-expect-error: one of its two steps was forgotten.
    await filtered.write([{ kind: 'unit', steps: [authorized, { write: deletion }], main: 0 }], 'stop');
    await filtered.write([{ kind: 'unit', steps: [authorized], main: 0 }], 'stop');
    expect(done).toEqual([{ kind: 'unit', steps: [{ write: { ...deletion, where: condition('owner') } }], main: 0 }]);
  });

  it('for a changed copy of an authorized write', async () => {
    const authorized = authorizeWrite(filtered, deletion);
    // @ts-expect-error: the copy has another condition than the one that was authorized.
    await filtered.write([{ ...authorized, where: undefined }], 'stop');
    const change = authorizeWrite(whole, { kind: 'update', table, values: {}, where: condition('id'), returning: [] });
    if (change.kind === 'update') await whole.write([narrowWrite(change, condition('owner'))], 'stop');
    const where = { kind: 'and', left: condition('id'), right: condition('owner') };
    expect(done).toEqual([expect.objectContaining({ kind: 'update', where })]);
  });

  it('for a database that was not narrowed', () => {
    // @ts-expect-error: only applyRecordFilter says that nothing narrows it.
    const scoped: ScopedDatabase = database;
    // @ts-expect-error: a copy is not narrowed.
    const copy: ScopedDatabase = { ...filtered, filterWrite: undefined };
    expect([scoped, copy]).toHaveLength(2);
  });
});

describe('authorizeWrite', () => {
  it('answers the very write where nothing filters it', () => {
    expect(authorizeWrite(whole, deletion)).toBe(deletion);
  });

  it('answers a refusal for values that do not pass', () => {
    const refusal = { kind: 'refuse', failure: expect.any(Failure) };
    expect(authorizeWrite(filtered, { kind: 'insert', table, values: {}, returning: [] })).toEqual(refusal);
    expect(
      authorizeWrite(filtered, { kind: 'update', table, values: {}, where: condition('id'), returning: [] }),
    ).toEqual(refusal);
  });
});
