// Changes of a schema on MariaDB and MySQL (contract/database-schema.md §4 to §6). A change of a table is one `alter table`
// wherever the server can do that in one: DDL commits by itself, and one statement is whole or not at all. Each brings along
// what undoes it. How they are run, waited for and undone is the business of ../../network/schema-editor.ts.
import type { SchemaChange } from '../../../change/index.ts';
import { pause } from '../../../shares/index.ts';
import type { PlannedChange, SchemaChanges } from '../../network/index.ts';
import type { ServerFacts } from '../driver.ts';
import { planAlter } from './alter.ts';
import { planCreate } from './create.ts';
import { planDrop } from './drop.ts';
import { isLockTimeout, isRefusal, lockTimeoutSql, sessionSql, stateOf, takeTurn } from './session.ts';
import { PlannedState } from './state.ts';
import { describeType, isKnownType } from './type-words.ts';

export const schemaChanges = (database: string, facts: () => ServerFacts): SchemaChanges => ({
  isTransactional: false,
  isKnownType: (type) => isKnownType(type, facts()),
  describeType: (type) => describeType(type, facts()),
  async plan(changes, context) {
    const state = new PlannedState(context, facts(), database);
    const planned: PlannedChange[] = [];
    for (const change of changes) {
      await pause();
      planned.push(await planChange(change, state));
    }
    return planned;
  },
  session: () => sessionSql(facts()),
  setLockTimeout: (ms) => lockTimeoutSql(ms, facts()),
  takeTurn: (runQuery) => takeTurn(database, runQuery),
  stateOf,
  isRefusal,
  isLockTimeout,
});

function planChange(change: SchemaChange, state: PlannedState): Promise<PlannedChange> {
  switch (change.kind) {
    case 'createTable':
      return planCreate(change, state);
    case 'alterTable':
      return planAlter(change, state);
    case 'dropTable':
      return planDrop(change, state);
  }
}
