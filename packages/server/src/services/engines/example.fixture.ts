// Examples of databases: each has a table `note`.
import type { ScriptTypeName } from '@sluice/contract';
import { type Engine, engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { engineTypes } from '../../scripts/engines/index.ts';
import { readSettings } from '../../settings/index.ts';
import type { ServiceExample } from '../example.fixture.ts';

export const noteTable = 'create table note (id integer primary key, title varchar(20), constructor integer)';
export const noteValues = { table_name: 'note', field_name: 'title' } as const;

/** A procedure and a function that fail. */
const brokenRoutines: Record<Engine, string[]> = {
  pgsql: [
    "create function broken() returns integer language plpgsql as 'begin raise exception ''odd''; end'",
    "create procedure broken_one() language plpgsql as 'begin raise exception ''odd''; end'",
  ],
  mysql: [
    'create function broken() returns integer deterministic reads sql data return (select a from nowhere)',
    'create procedure broken_one() select a from nowhere',
  ],
};

/** A new database on a server. */
export const databaseExample = (engine: Engine): ServiceExample => ({
  values: noteValues,
  needsServer: true,
  missing: () => engineMissing(engine),
  async prepare() {
    const created = await freshDatabase(engine);
    await created.run(noteTable);
    for (const statement of brokenRoutines[engine]) await created.run(statement);
    const { host, port, user: username, password, database } = created;
    return { config: { host, port, username, password, database }, release: () => created.drop() };
  },
});

/** A script that answers, where its language is there. */
export const scriptExample = (type: ScriptTypeName, content: string): ServiceExample => ({
  async missing() {
    const engineType = engineTypes.find(({ name }) => name === type);
    const engine = engineType?.open({ settings: readSettings({}), log: { warn: () => {} } });
    const missing = engine ? (await engine.state()).missing : 'there is no engine for it';
    await engine?.close();
    return missing;
  },
  prepare: async () => ({ config: { content } }),
});
