// What the changes of one call share while they are planned.
import { constraintName, TakenNames } from '../../../change/index.ts';
import type { Table } from '../../../schema/index.ts';
import type { PlanContext } from '../../network/index.ts';
import { readTakenNames } from './facts.ts';
import { maxNameBytes } from './words.ts';

export interface Planning {
  context: PlanContext;
  /** The server knows `pg_input_is_valid`. */
  canValidate: boolean;
  /** Tables that earlier changes make: they are empty, and nothing can be asked of them yet. */
  newTables: Set<string>;
  /** A name for an index or a foreign key that nothing else has, nor gets by these changes. */
  claimName(
    kind: 'unique' | 'index' | 'reference',
    native: Table['native'],
    columns: readonly string[],
  ): Promise<string>;
  claim(native: Table['native'], name: string): Promise<string>;
}

export const keyOf = ({ schema, name }: Table['native']): string => JSON.stringify([schema, name]);

export async function beginPlanning(context: PlanContext): Promise<Planning> {
  const [row] = await context.runQuery("select current_setting('server_version_num')::integer >= 160000");
  const taken = new Map<string, TakenNames>();
  const claim: Planning['claim'] = async ({ schema }, name) => {
    const key = String(schema);
    const names = taken.get(key) ?? new TakenNames(await readTakenNames(context.runQuery, schema), maxNameBytes);
    taken.set(key, names);
    return names.claim(name);
  };
  return {
    context,
    canValidate: row?.[0] === 't',
    newTables: new Set(),
    claim,
    claimName: (kind, native, columns) => claim(native, constraintName(kind, native.name, columns, maxNameBytes)),
  };
}
