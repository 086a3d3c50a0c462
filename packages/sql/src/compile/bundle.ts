// Many inserts of one call as a few: a statement for some hundred records in place of one for each.
import { isExpression } from '../convert/native.ts';
import type { Row, Unit, Write, WriteOutcome } from '../query/index.ts';

type Insert = Extract<Write, { kind: 'insert' }>;

/** Records of one bundle, and how many a call needs to be worth it. */
const most = 100;
const fewest = 10;
/** Values of one bundle: a statement of PostgreSQL or MariaDB takes 65,535 at most, one of Redshift half of that. */
const mostValues = 10_000;

/**
 * The writes of a call as bundles, if all of them insert the same fields into the same table; undefined otherwise. They
 * are to be done all or none: what a record does to a bundle is told by doing the writes one by one.
 */
export function bundled(writes: readonly (Write | Unit)[]): Insert[] | undefined {
  const [first] = writes;
  if (writes.length < fewest || first?.kind !== 'insert' || first.table.hasExpressions) return undefined;
  const shape = shapeOf(first.values);
  const counted = first.table.columns.find((column) => column.description.auto_increment)?.name;
  const rows: Row[] = [];
  for (const write of writes) {
    if (write.kind !== 'insert' || write.table !== first.table || write.returning !== first.returning) return undefined;
    // A null for a key that is counted up is left out, each engine in its way.
    if (counted !== undefined && write.values[counted] === null) return undefined;
    if (shapeOf(write.values) !== shape) return undefined;
    rows.push(write.values);
  }
  const bundles: Insert[] = [];
  const size = Math.max(1, Math.min(most, Math.floor(mostValues / Object.keys(first.values).length)));
  for (let at = 0; at < rows.length; at += size) {
    const [values = {}, ...more] = rows.slice(at, at + size);
    bundles.push({ ...first, values, more });
  }
  return bundles;
}

const shapeOf = (values: Row): string =>
  Object.entries(values)
    .map(([name, value]) => (isExpression(value) ? `${name}!${value.expression}` : name))
    .join('\n');

/** The outcomes of the single writes; undefined when the bundles were not done. */
export function unbundled(outcomes: WriteOutcome[]): WriteOutcome[] | undefined {
  const rows = outcomes.flatMap((outcome) => outcome.rows ?? []);
  return outcomes.some((outcome) => outcome.failure) ? undefined : rows.map((row) => ({ rows: [row] }));
}
