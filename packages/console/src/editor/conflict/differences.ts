// Someone else saved a record while it was being edited: what differs, and how both are merged. Pure.
import type { FormValues } from '../source.ts';

/** Whose change it is; where both changed the same to different values, someone has to choose. */
export type ChangedBy = 'me' | 'them' | 'both';

/** A field of the form that is not as it was; parts of a configuration count one by one, lists as a whole. */
export interface Difference {
  /** `label`, `config.host`. */
  field: string;
  path: readonly string[];
  base: unknown;
  mine: unknown;
  theirs: unknown;
  changedBy: ChangedBy;
}

export type ConflictChoice = 'mine' | 'theirs';

/** Fields the server writes by itself; a difference in them means nothing. */
const stamps = new Set([
  'created_date',
  'last_modified_date',
  'created_by_id',
  'last_modified_by_id',
  'last_login_date',
]);
/** Relations end in the field that points to their owner: `lookup_by_role_id`. */
const relationName = /_by_(\w+)$/;

/** What differs between a form as it was loaded, as it was typed and as someone else stored it. Where both agree, nothing does. */
export function compareForms(base: FormValues, mine: FormValues, theirs: FormValues): Difference[] {
  const compare = (names: readonly string[], ...forms: readonly FormValues[]): Difference[] => {
    const fields = [...new Set(forms.flatMap((form) => Object.keys(form)))].filter((name) => !stamps.has(name));
    return fields.flatMap((name) => {
      const [baseValue, myValue, theirValue] = forms.map((form) => form[name]);
      const path = [...names, name];
      if (isPlain(myValue) && isPlain(theirValue) && (isPlain(baseValue) || isNothing(baseValue)))
        return compare(path, isPlain(baseValue) ? baseValue : {}, myValue, theirValue);
      if (isSame(myValue, theirValue)) return [];
      const changedBy = isSame(baseValue, myValue) ? 'them' : isSame(baseValue, theirValue) ? 'me' : 'both';
      return [{ field: path.join('.'), path, base: baseValue, mine: myValue, theirs: theirValue, changedBy }];
    });
  };
  return compare([], base, mine, theirs);
}

/** Their form with my changes: what only I changed, and what was chosen as mine. */
export function mergeForms<F extends FormValues>(
  theirs: F,
  differences: readonly Difference[],
  choices: Readonly<Record<string, ConflictChoice>>,
): F {
  const myChanges = differences.filter(
    ({ changedBy, field }) => changedBy === 'me' || (changedBy === 'both' && choices[field] !== 'theirs'),
  );
  return myChanges.reduce<FormValues>((form, { path, mine }) => setPath(form, path, mine), theirs) as F;
}

/**
 * The body of a save on top of theirs: a list that is kept as mine loses the rows they added, which the server would leave alone
 * otherwise (contract/system-resources.md §0, Nested writes), and rows they deleted are not deleted twice.
 */
export function removeTheirRows(
  body: FormValues,
  base: FormValues,
  theirs: FormValues,
  myLists: readonly string[],
): FormValues {
  const lists = myLists.flatMap((name) => {
    const ownerField = relationName.exec(name)?.[1];
    const rows = body[name];
    if (!ownerField || !Array.isArray(rows)) return [];
    const baseIds = idsOf(base[name]);
    const theirIds = idsOf(theirs[name]);
    const myIds = idsOf(rows);
    const remaining = rows.filter(
      (row) => !(isPlain(row) && row[ownerField] === null && baseIds.has(row.id) && !theirIds.has(row.id)),
    );
    const added = [...theirIds]
      .filter((id) => !baseIds.has(id) && !myIds.has(id))
      .map((id) => ({ id, [ownerField]: null }));
    return [[name, [...remaining, ...added]]];
  });
  return { ...body, ...Object.fromEntries(lists) };
}

/** A body that creates a deleted record again: without its ids and stamps, without masked secrets, without rows marked for removal. */
export function asNewRecord(body: FormValues, mask: string): FormValues {
  const { id: _gone, ...rest } = body;
  const clean = (value: unknown, ownerField: string | null): unknown => {
    if (Array.isArray(value)) {
      const rows = ownerField
        ? value.filter((row) => !(isPlain(row) && ownerField in row && row[ownerField] === null))
        : value;
      return rows.map((row) => clean(ownerField && isPlain(row) ? omit(row, ['id', ownerField]) : row, null));
    }
    if (!isPlain(value)) return value;
    const entries = Object.entries(value).filter(([name, part]) => part !== mask && !stamps.has(name));
    return Object.fromEntries(entries.map(([name, part]) => [name, clean(part, relationName.exec(name)?.[1] ?? null)]));
  };
  return clean(rest, null) as FormValues;
}

/** How the rows of a list came to differ, in words of each row; those that stayed are only counted. */
export interface RowChanges {
  added: FormValues[];
  removed: FormValues[];
  changed: FormValues[];
  unchanged: number;
}

/** What became of the rows of a list; a row whose owner was cleared is removed. */
export function rowChanges(
  base: readonly FormValues[],
  current: readonly FormValues[],
  ownerField: string | null,
): RowChanges {
  const hasOwner = (row: FormValues) => ownerField === null || row[ownerField] !== null || !(ownerField in row);
  const byKey = new Map(base.map((row) => [keyOf(row), row]));
  const present = current.filter(hasOwner);
  const keys = new Set(present.map(keyOf));
  const changes: RowChanges = {
    added: [],
    removed: base.filter((row) => !keys.has(keyOf(row))),
    changed: [],
    unchanged: 0,
  };
  for (const row of present) {
    const old = byKey.get(keyOf(row));
    if (!old) changes.added.push(row);
    else if (isSame(old, row)) changes.unchanged += 1;
    else changes.changed.push(row);
  }
  return changes;
}

/** A row's key, which tells a person nothing. */
const keyNames = new Set(['id', 'key']);

/** The fields of a row that tell something to a person. */
export const describingFields = (row: FormValues, ownerField: string | null): [string, unknown][] =>
  Object.entries(row).filter(
    ([name, value]) =>
      !keyNames.has(name) && name !== ownerField && !stamps.has(name) && !isNothing(value) && value !== '',
  );

/** The field by which the rows of a relation point to their owner; null when the name is of no relation. */
export const ownerOf = (field: string): string | null => relationName.exec(field)?.[1] ?? null;

export const isRows = (value: unknown): value is FormValues[] => Array.isArray(value) && value.every(isPlain);

const isPlain = (value: unknown): value is FormValues =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isNothing = (value: unknown) => value === null || value === undefined;

const idsOf = (rows: unknown): Set<unknown> =>
  new Set(isRows(rows) ? rows.map((row) => row.id).filter((id) => !isNothing(id)) : []);

// A row is known by its id or the key its screen gave it; without either, by all it holds.
const keyOf = (row: FormValues): string => (isNothing(row.id ?? row.key) ? fingerprint(row) : `#${row.id ?? row.key}`);

const omit = (row: FormValues, names: readonly string[]): FormValues =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const setPath = (form: FormValues, [name = '', ...rest]: readonly string[], value: unknown): FormValues => ({
  ...form,
  [name]: rest.length === 0 ? value : setPath(isPlain(form[name]) ? form[name] : {}, rest, value),
});

/** Alike in what they say: order of keys, stamps and the ways to say nothing do not count. Files are alike only to themselves. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (!(a instanceof Blob) && !(b instanceof Blob) && fingerprint(a) === fingerprint(b));

const fingerprint = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, item: unknown) =>
    isPlain(item)
      ? Object.fromEntries(
          Object.entries(item)
            .filter(([name, part]) => !stamps.has(name) && !isNothing(part))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  );
