// SIGKILL under writes, round after round: what was acknowledged is there afterwards, and nothing is there by half.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { soakRounds } from '@sluice/testkit/soak';
import { admin, expect, type Instance, startInstance, test } from '../instance.ts';
import { findDamage, withFile } from './file.ts';

const rounds = soakRounds(12, 50);
const recordsPerBatch = 40;
const accessRowsPerRole = 2;

/** The names that one writer sent, and those that the server acknowledged. */
interface Ledger {
  attempted: Set<string>;
  acknowledged: Set<string>;
}

/** Writes one record of this name. */
type Write = (instance: Instance, name: string) => Promise<{ status: number; body: unknown }>;

/** Things of the platform's own store, and rows of a service: on the main thread, and in the service's child process. */
const writes: Record<string, Write> = {
  note: (instance, name) => instance.api('POST', 'notes/_table/note', { resource: [{ name }] }),
  batch: (instance, name) =>
    instance.api('POST', 'notes/_table/note?rollback=true', {
      resource: Array.from({ length: recordsPerBatch }, (_, part) => ({ name: `${name}-${part}` })),
    }),
  role: (instance, name) =>
    instance.api('POST', 'system/role', {
      resource: [
        {
          name,
          role_service_access_by_role_id: Array.from({ length: accessRowsPerRole }, (_, index) => ({
            service_id: 1,
            component: `part${index}`,
            verb_mask: 1,
            requestor_mask: 1,
          })),
        },
      ],
    }),
  app: (instance, name) => instance.api('POST', 'system/app', { resource: [{ name, type: 0 }] }),
};

test('nothing that was acknowledged is lost, and the server starts again, in round after round of SIGKILL under writes', async () => {
  test.setTimeout(soakRounds(240_000, 1_800_000));
  const folder = await mkdtemp(join(tmpdir(), 'sluice-kill-'));
  const file = join(folder, 'db', 'notes.sqlite');
  await mkdir(join(folder, 'db'));
  withFile(file, (database) =>
    database.exec(`create table note (id integer primary key, name text unique not null);
      create table counter (id integer primary key, n integer not null);
      insert into counter values (1, 0)`),
  );
  const instance = await startInstance(
    { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password },
    folder,
  );
  try {
    const creation = await instance.api('POST', 'system/service', {
      resource: [
        { name: 'notes', label: 'Notes', type: 'sqlite', is_active: true, config: { database: 'notes.sqlite' } },
      ],
    });
    expect(creation.status).toBe(201);

    const ledgers = Object.fromEntries(Object.keys(writes).map((kind) => [kind, newLedger()]));
    const counter = { sent: 0, acknowledged: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const countBefore = counter.acknowledged;
      const writers = [
        ...Object.entries(writes).map(([kind, write]) =>
          writeUntilKilled(`${kind}-${round}`, ledgers[kind] as Ledger, (name) => write(instance, name)),
        ),
        countUp(instance, counter),
      ];
      // In every other round not before each writer got an answer, however busy the machine is.
      if (round % 2 === 1)
        await expect
          .poll(
            () =>
              counter.acknowledged > countBefore &&
              Object.values(ledgers).every(({ acknowledged }) => namesOfRound(acknowledged, round).length > 0),
            { intervals: [5] },
          )
          .toBe(true);
      await wait(30 + Math.random() * 220);
      await instance.kill();
      await Promise.all(writers);
      await instance.start();
      for (const [kind, writtenNames] of Object.entries(ledgers))
        expectNothingLost(writtenNames, await readNames(instance, kind, round), round);
      const { body } = await instance.api('GET', 'notes/_table/counter/1');
      expect(body.n).toBeGreaterThanOrEqual(counter.acknowledged);
      expect(body.n).toBeLessThanOrEqual(counter.sent);
    }
    for (const [kind, writtenNames] of Object.entries(ledgers))
      expect([kind, writtenNames.acknowledged.size >= rounds / 2]).toEqual([kind, true]);
    expect(counter.acknowledged).toBeGreaterThanOrEqual(rounds / 2);

    // Once more over all rounds, past the platform: what a later round did may not have harmed an earlier one.
    await instance.kill();
    const columnOf = (path: string, sql: string) =>
      withFile(path, (database) => database.run(sql).rows.map(([value]) => String(value)));
    const notes = columnOf(file, 'select name from note');
    const store = join(folder, 'sluice.sqlite');
    expectNothingLost(
      ledgers.note as Ledger,
      notes.filter((name) => name.startsWith('note-')),
    );
    expectNothingLost(ledgers.batch as Ledger, wholeBatches(notes.filter((name) => name.startsWith('batch-'))));
    expectNothingLost(ledgers.role as Ledger, columnOf(store, "select name from role where name like 'role-%'"));
    expectNothingLost(ledgers.app as Ledger, columnOf(store, "select name from app where name like 'app-%'"));
    expect([...findDamage(file), ...findDamage(store)]).toEqual([]);
    await instance.start();
  } finally {
    await instance.stop();
  }
});

const newLedger = (): Ledger => ({ attempted: new Set(), acknowledged: new Set() });

/** Writes one thing after another until the connection breaks; any other answer than "created" fails the test. */
async function writeUntilKilled(
  prefix: string,
  { attempted: sent, acknowledged }: Ledger,
  write: (name: string) => ReturnType<Write>,
) {
  for (let n = 0; ; n += 1) {
    const name = `${prefix}-${n}`;
    sent.add(name);
    const answer = await write(name).catch(() => undefined);
    if (!answer) return;
    expect([answer, answer.status < 300]).toEqual([answer, true]);
    acknowledged.add(name);
  }
}

/** Overwrites one row with rising numbers. */
async function countUp(instance: Instance, counter: { sent: number; acknowledged: number }) {
  for (;;) {
    const n = ++counter.sent;
    const answer = await instance.api('PATCH', 'notes/_table/counter/1', { n }).catch(() => undefined);
    if (!answer) return;
    expect(answer.status).toBe(200);
    counter.acknowledged = n;
  }
}

/** The stored names of this kind and round; a record that is stored in part fails the test. */
async function readNames(instance: Instance, kind: string, round: number): Promise<string[]> {
  const ask = async (path: string) => {
    const filter = encodeURIComponent(`name like "${kind}-${round}-%"`);
    const { status, body } = await instance.api(
      'GET',
      `${path}?filter=${filter}&related=${path.endsWith('role') ? 'role_service_access_by_role_id' : ''}`,
    );
    expect(status).toBe(200);
    return body.resource as { name: string; role_service_access_by_role_id?: unknown[] }[];
  };
  const names = (records: { name: string }[]) => records.map(({ name }) => name);
  if (kind === 'batch') return wholeBatches(names(await ask('notes/_table/note')));
  if (kind === 'note') return names(await ask('notes/_table/note'));
  const records = await ask(`system/${kind}`);
  if (kind === 'role')
    for (const record of records) expect(record.role_service_access_by_role_id).toHaveLength(accessRowsPerRole);
  return names(records);
}

/** The names of batches that are stored completely; a part without the others fails the test. */
function wholeBatches(parts: string[]): string[] {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const name = part.replace(/-\d+$/, '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count !== recordsPerBatch)).toEqual([]);
  return [...counts.keys()];
}

const namesOfRound = (names: Set<string>, round: number): string[] =>
  [...names].filter((name) => name.split('-')[1] === String(round));

/** All that was acknowledged (in this round) is there, and nothing that was never sent. */
function expectNothingLost({ attempted: sent, acknowledged }: Ledger, stored: string[], round?: number) {
  const has = new Set(stored);
  const names = round === undefined ? [...acknowledged] : namesOfRound(acknowledged, round);
  expect(names.filter((name) => !has.has(name))).toEqual([]);
  expect(stored.filter((name) => !sent.has(name))).toEqual([]);
}
