// Many inserts of one call as a few: a statement for some hundred records in place of one for each.
import { isExpression } from '../convert/native.ts';
import type { Row, Unit, Write, WriteOutcome } from '../query/index.ts';

type Insert = Extract<Write, { kind: 'insert' }>;

/** Records of one bundle. */
const maxRows = 100;
/** Records a call needs before bundles are worth it. */
const minRows = 10;
/** Values of one bundle: a statement of PostgreSQL or MariaDB takes 65,535 at most, one of Redshift half of that. */
const maxValues = 10_000;

/**
 * The writes of a call as bundles, if all of them insert the same fields into the same table; undefined otherwise. All of
 * the bundles must be done, or none: which record made one fail shows when the writes are done one by one.
 */
export function bundleInserts(writes: readonly (Write | Unit)[]): Insert[] | undefined {
  const [first] = writes;
  if (writes.length < minRows || first?.kind !== 'insert' || first.table.hasExpressions) return undefined;
  const shape = shapeOf(first.values);
  const autoIncrementField = first.table.columns.find((column) => column.description.auto_increment)?.name;
  const rows: Row[] = [];
  for (const write of writes) {
    if (write.kind !== 'insert' || write.table !== first.table || write.returning !== first.returning) return undefined;
    // A null for a key that is counted up is left out, each engine in its way.
    if (autoIncrementField !== undefined && write.values[autoIncrementField] === null) return undefined;
    if (shapeOf(write.values) !== shape) return undefined;
    rows.push(write.values);
  }
  const bundles: Insert[] = [];
  const size = Math.max(1, Math.min(maxRows, Math.floor(maxValues / Object.keys(first.values).length)));
  for (let start = 0; start < rows.length; start += size) {
    const [values = {}, ...moreValues] = rows.slice(start, start + size);
    bundles.push({ ...first, values, moreValues });
  }
  return bundles;
}

const shapeOf = (values: Row): string =>
  Object.entries(values)
    .map(([name, value]) => (isExpression(value) ? `${name}!${value.expression}` : name))
    .join('\n');

/** The outcomes of the single writes; undefined where a bundle failed. */
export function unbundleOutcomes(outcomes: WriteOutcome[]): WriteOutcome[] | undefined {
  const rows = outcomes.flatMap((outcome) => outcome.rows ?? []);
  return outcomes.some((outcome) => outcome.failure) ? undefined : rows.map((row) => ({ rows: [row] }));
}
