// What an entry of the audit tells of a table, and the statements that were run. Pure. Entries are of two kinds: a change of the
// database has what differs between two descriptions of the table and the statements (server, database/change/difference.ts);
// a change of what the service says of the table has one row of that as it was and as it is (database/extras/store.ts).
import type { AuditRecord } from '@sluice/contract';
import { parseValues } from '../../../list/record-changes.ts';

type Values = Record<string, unknown>;
export type Entry = Pick<AuditRecord, 'before' | 'after'>;

/** A property that is another one now. */
export interface Facet {
  name: string;
  before: unknown;
  after: unknown;
}

/** One change of an entry, as `schema:history.did` words it. */
export interface ChangeItem {
  what:
    | 'created'
    | 'createdWide'
    | 'dropped'
    | 'renamed'
    | 'fieldAdded'
    | 'fieldDropped'
    | 'fieldRenamed'
    | 'fieldChanged'
    | 'virtualAdded'
    | 'virtualDropped'
    | 'constraintAdded'
    | 'constraintDropped'
    | 'constraintChanged'
    | 'relationAdded'
    | 'relationDropped'
    | 'relationChanged'
    | 'tableChanged'
    | 'changed';
  values?: { name?: string; type?: string; from?: string; to?: string; count?: number };
  facets?: Facet[];
}

const sidesOf = ({ before, after }: Entry): [before: Values | null, after: Values | null] => [
  parseValues(before),
  parseValues(after),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Properties that are yes or no: what is absent is no. */
export const isFlag = (name: string): boolean =>
  /^(is_|flatten|allow_null$|auto_increment$|fixed_length$|supports_multibyte$|always_fetch$)/.test(name);

const facet = (name: string, before: unknown, after: unknown): Facet[] => {
  const same = isFlag(name) ? Boolean(before) === Boolean(after) : isSame(before, after);
  return same ? [] : [{ name, before, after }];
};

/** Every change of an entry; never none. */
export function changeItemsOf(entry: Entry): ChangeItem[] {
  const [before, after] = sidesOf(entry);
  const row = after ?? before;
  const items = row && 'table' in row ? extrasItems(before, after, row) : changeItems(before ?? {}, after ?? {});
  return items.length > 0 ? items : [{ what: 'changed' }];
}

// ---- changes of the database ----

export const isCreation = (entry: Entry): boolean => {
  const [before, after] = sidesOf(entry);
  return before === null && after !== null && 'steps' in after;
};

/** The table went under this name: it was dropped, or has another name since. */
export const isEnd = (entry: Entry): boolean => {
  const [before, after] = sidesOf(entry);
  return before !== null && 'name' in before && after !== null && 'steps' in after;
};

/** The names of a table that was renamed; null of any other entry. */
export function renameOf(entry: Entry): { from: string; to: string } | null {
  const [before, after] = sidesOf(entry);
  const [from, to] = [textOf(before?.name), textOf(after?.name)];
  return from !== '' && to !== '' && after && 'steps' in after ? { from, to } : null;
}

/** Whether entries of a name, newest first, leave open where a table of that name came from: none of them made it. */
export function isOriginUnknown(entries: readonly Entry[], exists: boolean): boolean {
  let isGone = true;
  for (const entry of [...entries].reverse()) {
    if (isGone && !isCreation(entry)) return true;
    isGone = isEnd(entry);
  }
  return isGone && exists;
}

/** The statements that were run; the last one may be cut, and others may be missing after it. */
export function statementsOf(entry: Entry): { statements: string[]; isCut: boolean } {
  const steps = sidesOf(entry)[1]?.steps;
  if (Array.isArray(steps)) return { statements: steps.map(String), isCut: false };
  // The beginning of a list as JSON.
  const text = textOf(steps).replace(/… \(cut, \d+ characters\)$/, '');
  const whole = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)];
  const last = whole.at(-1);
  const rest = text.slice(last ? last.index + last[0].length : 0).replace(/^[[,]+/, '');
  const statements = whole.map(([json]) => String(JSON.parse(json)));
  const cut = rest === '' ? [] : [`${rest.slice(1).replaceAll('\\n', '\n').replaceAll('\\"', '"')}…`];
  return { statements: [...statements, ...cut], isCut: text !== '' };
}

function changeItems(before: Values, after: Values): ChangeItem[] {
  const fields = [parseValues(before.field), parseValues(after.field)] as const;
  if ('name' in after && !('name' in before)) {
    const names = Object.keys(fields[1] ?? {});
    return names.length > 0 ? [{ what: 'created', values: { count: names.length } }] : [{ what: 'createdWide' }];
  }
  const rename = textOf(after.name);
  if ('name' in before && rename === '') return [{ what: 'dropped' }];
  return [
    ...(rename === '' ? [] : [{ what: 'renamed', values: { from: textOf(before.name), to: rename } } as const]),
    ...fieldsItems(fields[0] ?? {}, fields[1] ?? {}, after),
    ...constraintsItems(parseValues(before.constraints) ?? {}, parseValues(after.constraints) ?? {}),
    ...relationsItems(parseValues(before.related) ?? {}, parseValues(after.related) ?? {}),
    ...tableItems(before, after),
  ];
}

const tableFacets = ['primary_key', 'alias', 'label', 'plural', 'description', 'name_field'];

function tableItems(before: Values, after: Values): ChangeItem[] {
  const facets = tableFacets.flatMap((name) => facet(name, before[name], after[name]));
  return facets.length > 0 ? [{ what: 'tableChanged', facets }] : [];
}

/** Virtual relations that came or went with a change of the database. */
const relationsItems = (before: Values, after: Values): ChangeItem[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name): ChangeItem => {
    const [old, current] = [parseValues(before[name]) ?? {}, parseValues(after[name]) ?? {}];
    if (!Object.hasOwn(before, name)) return { what: 'relationAdded', values: { name } };
    if (!Object.hasOwn(after, name)) return { what: 'relationDropped', values: { name } };
    const facets = Object.keys({ ...old, ...current }).flatMap((key) => facet(key, old[key], current[key]));
    return { what: 'relationChanged', values: { name }, facets };
  });

/** A field as the entry has it; of a cut one nothing is known. */
const typeOf = (field: unknown): string => {
  const values = parseValues(field);
  return textOf(values?.db_type) || textOf(values?.type) || '…';
};

const isVirtual = (field: unknown): boolean => Boolean(parseValues(field)?.is_virtual);

const came = (name: string, field: unknown): ChangeItem => ({
  what: isVirtual(field) ? 'virtualAdded' : 'fieldAdded',
  values: { name, type: typeOf(field) },
});

const went = (name: string, field: unknown): ChangeItem => ({
  what: isVirtual(field) ? 'virtualDropped' : 'fieldDropped',
  values: { name, type: typeOf(field) },
});

function fieldsItems(before: Values, after: Values, change: Values): ChangeItem[] {
  const renames = renamedFields(before, after, statementsOf({ before: null, after: change }).statements);
  const isNew = new Set(renames.values());
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): ChangeItem[] => {
    const newName = renames.get(name);
    if (newName !== undefined) {
      const facets = fieldFacets(before[name], after[newName]).filter((one) => one.name !== 'label');
      const renamed: ChangeItem = { what: 'fieldRenamed', values: { from: name, to: newName } };
      return facets.length === 0 ? [renamed] : [renamed, { what: 'fieldChanged', values: { name: newName }, facets }];
    }
    if (isNew.has(name)) return [];
    if (!Object.hasOwn(before, name)) return [came(name, after[name])];
    if (!Object.hasOwn(after, name)) return [went(name, before[name])];
    return [{ what: 'fieldChanged', values: { name }, facets: fieldFacets(before[name], after[name]) }];
  });
}

/** Old name → new name. A statement says so: one field may also go while another one like it comes. */
function renamedFields(before: Values, after: Values, statements: readonly string[]): Map<string, string> {
  const came = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const quoted = (name: string) => `["\`]${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}["\`]`;
  return new Map(
    gone.flatMap((from) => {
      const to = came.find((name) => {
        const clause = new RegExp(`(rename|change) column ${quoted(from)} (to )?${quoted(name)}`, 'i');
        return statements.some((statement) => clause.test(statement));
      });
      return to === undefined ? [] : [[from, to] as const];
    }),
  );
}

/** Said by the type, or by whether a field may be null. */
const impliedFacets = new Set(['name', 'type', 'db_type', 'length', 'precision', 'scale', 'required', 'native']);
const referenceFacets = new Set(['is_foreign_key', 'ref_table', 'ref_field']);

function fieldFacets(before: unknown, after: unknown): Facet[] {
  const [old, current] = [parseValues(before), parseValues(after)];
  if (!old || !current) return [];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  const target = ({ ref_table, ref_field }: Values) => (ref_table ? `${ref_table}.${ref_field ?? ''}` : null);
  return [
    ...facet(
      'type',
      ...((isSame(typeOf(old), typeOf(current)) ? [old.type, current.type] : [typeOf(old), typeOf(current)]) as [
        unknown,
        unknown,
      ]),
    ),
    ...facet('reference', target(old), target(current)),
    ...names
      .filter((name) => !impliedFacets.has(name) && !referenceFacets.has(name))
      .flatMap((name) => facet(name, old[name], current[name])),
  ];
}

const constraintsItems = (before: Values, after: Values): ChangeItem[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    what: !Object.hasOwn(before, name)
      ? 'constraintAdded'
      : Object.hasOwn(after, name)
        ? 'constraintChanged'
        : 'constraintDropped',
    values: { name },
  }));

// ---- changes of what the service says ----

function extrasItems(before: Values | null, after: Values | null, row: Values): ChangeItem[] {
  const facets = Object.keys({ ...before, ...after })
    .filter((name) => !['table', 'field', 'relationship'].includes(name))
    .flatMap((name) => facet(name, before?.[name], after?.[name]));
  if ('relationship' in row) return [{ what: 'relationChanged', values: { name: textOf(row.relationship) }, facets }];
  if ('ref_table' in row) {
    const name = `${textOf(row.type)} ${textOf(row.field)} → ${textOf(row.ref_table)}.${textOf(row.ref_field)}`;
    if (!before) return [{ what: 'relationAdded', values: { name } }];
    return after
      ? [{ what: 'relationChanged', values: { name }, facets }]
      : [{ what: 'relationDropped', values: { name } }];
  }
  if (!('field' in row)) return [{ what: 'tableChanged', facets }];
  const values = { name: textOf(row.field), type: textOf(row.extra_type) || '…' };
  if (!before && row.is_virtual) return [{ what: 'virtualAdded', values }];
  if (!after && row.is_virtual) return [{ what: 'virtualDropped', values }];
  return [{ what: 'fieldChanged', values: { name: values.name }, facets }];
}
