// The calls of never-more.property.test.ts: reads of every kind, and writes with and without records inside.
import type { RelationDescription, Verb } from '@sluice/contract';
import fc from 'fast-check';
import { aCondition, type Condition, columnsOf, type TableName, tableNames, tables } from './never-more.fixture.ts';

export interface ModelCall {
  table: TableName;
  line: string;
  query: Record<string, string>;
  body?: unknown;
  /** Of a list of records that nothing but this leaves rows out of: the caller's own filter. */
  whole?: { conditions: Condition[]; isNegated: boolean };
}

export type Relations = Record<TableName, RelationDescription[]>;

const anId = fc.integer({ min: 1, max: 6 });
/** There may be none yet. */
const aNewId = fc.integer({ min: 1, max: 12 });
const isInModel = (name: string): name is TableName => name in tables;

// ---- parameters ----

const written = ({ name, operator, value }: Condition): string => {
  const one = (operand: unknown) => (typeof operand === 'string' ? `'${operand}'` : String(operand));
  if (operator === 'is null' || operator === 'is not null') return `(${name} ${operator})`;
  return `(${name} ${operator} ${Array.isArray(value) ? `(${value.map(one).join(',')})` : one(value)})`;
};

const aFilter = (table: TableName) =>
  fc.record({ conditions: fc.array(aCondition(table), { minLength: 1, maxLength: 2 }), isNegated: fc.boolean() });

const filterText = ({ conditions, isNegated }: { conditions: Condition[]; isNegated: boolean }) => {
  const text = conditions.map(written).join(' and ');
  return isNegated ? `not (${text})` : text;
};

const someColumns = (table: TableName) =>
  fc.subarray(
    columnsOf(table).map(([name]) => name),
    { minLength: 1 },
  );

/** Ends with the key, so that there is one order only. */
const anOrder = (table: TableName) =>
  fc
    .tuple(someColumns(table), fc.constantFrom('asc', 'desc'))
    .map(([names, direction]) => [...names.map((name) => `${name} ${direction}`), ...tables[table].key].join(','));

/** Each of the parameters or not. */
const optional = (parameters: Record<string, fc.Arbitrary<string>>) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(parameters).map(([name, arbitrary]) => [
          name,
          fc.option(arbitrary, { nil: undefined, freq: 2 }),
        ]),
      ),
    )
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>,
    );

const yes = fc.constant('true');

/** `related=a,b.c` with options of the first level. */
function someRelated(table: TableName, relations: Relations): fc.Arbitrary<Record<string, string>> {
  const below = (relation: RelationDescription) =>
    isInModel(relation.ref_table) ? relations[relation.ref_table].map(({ name }) => `${relation.name}.${name}`) : [];
  const paths = relations[table].flatMap((relation) => [relation.name, ...below(relation)]);
  const first = relations[table].filter(({ ref_table }) => isInModel(ref_table));
  return fc
    .tuple(
      fc.oneof(fc.constant(['*']), fc.subarray(paths, { minLength: 1, maxLength: 4 })),
      fc.constantFrom(...first).chain(({ name, ref_table }) =>
        optional({
          [`${name}.order`]: anOrder(ref_table as TableName),
          [`${name}.limit`]: fc.integer({ min: 1, max: 4 }).map(String),
          [`${name}.fields`]: someColumns(ref_table as TableName).map(String),
        }),
      ),
    )
    .map(([names, options]) => ({ related: names.join(','), ...options }));
}

// ---- reads ----

export function aRead(relations: Relations): fc.Arbitrary<ModelCall> {
  const reads = (table: TableName): fc.Arbitrary<ModelCall> => {
    const { key } = tables[table];
    const line = fc.constant(`GET _table/${table}`);
    const base = { table: fc.constant(table), line };
    const related = fc.oneof(fc.constant({}), someRelated(table, relations));
    const filter = fc.option(aFilter(table), { nil: undefined });
    const whole = fc
      .record({ ...base, filter, related, query: optional({ order: anOrder(table), include_count: yes, file: yes }) })
      .map(({ filter: ownFilter, related: more, query, ...call }) => ({
        ...call,
        query: { ...query, ...more, ...(ownFilter ? { filter: filterText(ownFilter) } : {}) },
        whole: ownFilter ?? { conditions: [], isNegated: false },
      }));
    const page = fc.record({
      ...base,
      query: fc
        .tuple(
          optional({
            filter: aFilter(table).map(filterText),
            order: anOrder(table),
            limit: fc.integer({ min: 1, max: 4 }).map(String),
            offset: fc.integer({ min: 0, max: 3 }).map(String),
            include_count: yes,
            fields: someColumns(table).map(String),
          }),
          related,
        )
        .map(([query, more]) => ({ ...query, ...more })),
    });
    const count = fc.record({
      ...base,
      query: optional({ filter: aFilter(table).map(filterText), group: someColumns(table).map(String) }).map(
        (parameters) => ({
          ...parameters,
          count_only: 'true',
        }),
      ),
    });
    const groups = fc.record({
      ...base,
      query: fc
        .tuple(someColumns(table), optional({ filter: aFilter(table).map(filterText), include_count: yes }))
        .map(([names, query]) => ({ ...query, group: `${names}`, fields: `${names}`, order: `${names}` })),
    });
    const values = fc.record({
      ...base,
      query: someColumns(table).map((names) => ({ as_list: 'true', id_field: `${names}`, order: key.join(',') })),
    });
    const byKeys = fc
      .tuple(
        fc.array(anId, { minLength: 1, maxLength: 4 }),
        related,
        optional({ continue: yes, filter: fc.constant('') }),
      )
      .map(
        ([ids, more, query]): ModelCall => ({
          table,
          line: `GET _table/${table}`,
          query: { ...query, ...more, ids: `${ids}`, ...(key.length > 1 ? { id_field: key[0] } : {}) },
        }),
      );
    const one = fc.tuple(anId, related).map(
      ([id, more]): ModelCall => ({
        table,
        line: `GET _table/${table}/${id}`,
        query: key.length > 1 ? { ...more, id_field: key[0] } : more,
      }),
    );
    return fc.oneof(whole, page, count, groups, values, byKeys, one);
  };
  return fc.constantFrom(...tableNames).chain(reads);
}

// ---- writes ----

const aValue = (kind: string): fc.Arbitrary<unknown> =>
  kind === 'word'
    ? fc.constantFrom('a', 'b', 'ab', 'c', null)
    : fc.constantFrom<unknown>(0, 1, 2, 3, kind in tables ? 4 : null, null);

/** A record with some of its fields and, to a depth, records inside. */
function aRecord(table: TableName, relations: Relations, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    columnsOf(table).map(([name, kind]) => [name, name === 'id' ? aNewId : aValue(kind)]),
  );
  const words = columnsOf(table).flatMap(([name, kind]) => (kind === 'word' ? [name] : []));
  const plain = fc.record(fields, { requiredKeys: words });
  const inside = relations[table].filter(({ ref_table }) => isInModel(ref_table));
  if (depth === 0 || inside.length === 0) return plain;
  const nested = fc.constantFrom(...inside).chain(({ name, type, ref_table, ref_field }) => {
    const other = aRecord(ref_table as TableName, relations, depth - 1);
    const pointing = type === 'many_many' ? [`${table}.${tables[table].key[0]}`] : ref_field.split(',');
    const letGo = fc
      .tuple(anId, fc.subarray(pointing, { minLength: 1 }))
      .map(([id, names]) => ({ id, ...Object.fromEntries(names.map((name) => [name, null])) }));
    const adopted = anId.map((id) => ({ id }));
    const element = fc.oneof({ weight: 3, arbitrary: other }, adopted, letGo);
    const isOne = type === 'belongs_to' || type === 'has_one';
    const value = isOne
      ? fc.option(element, { freq: 5 })
      : fc.oneof(fc.array(element, { minLength: 1, maxLength: 2 }), fc.constant([]));
    return value.map((record): Record<string, unknown> => ({ [name]: record }));
  });
  return fc
    .tuple(plain, fc.option(nested, { nil: {}, freq: 3 }))
    .map(([ownFields, more]) => ({ ...ownFields, ...more }));
}

export function aWrite(relations: Relations): fc.Arbitrary<ModelCall> {
  const writes = (table: TableName): fc.Arbitrary<ModelCall> => {
    const { key } = tables[table];
    const record = aRecord(table, relations, 2);
    const records = fc.array(record, { minLength: 1, maxLength: 2 });
    const change = fc.constantFrom<Verb>('PATCH', 'PUT', 'PATCH');
    const byFirst: Record<string, string> = key.length > 1 ? { id_field: key[0] } : {};
    const path = `_table/${table}`;
    const fields = fc.oneof(fc.constant('*'), someColumns(table).map(String));
    const aMode = optional({ continue: yes, allow_related_delete: yes, fields });
    const aBatchMode = fc.oneof(aMode, optional({ rollback: yes, fields }), fc.constant({ as_list: 'true' }));
    /** Records by a column that may be no part of their key. */
    const aSearch = fc
      .constantFrom(...columnsOf(table))
      .chain(([name, kind]) =>
        fc
          .array(aValue(kind), { minLength: 1, maxLength: 2 })
          .map((values): Record<string, string> => ({ id_field: name, ids: values.map(String).join(',') })),
      );
    const related = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, someRelated(table, relations));
    const changes = fc.oneof(
      fc.tuple(records, aBatchMode, related).map(([resource, query, more]) => ({
        table,
        line: `POST ${path}`,
        query: { ...query, ...more },
        body: { resource },
      })),
      fc.tuple(change, records, aBatchMode, anId).map(([verb, resource, query, id]) => {
        const keyed = resource.map((record) => ({ ...Object.fromEntries(key.map((name) => [name, id])), ...record }));
        return { table, line: `${verb} ${path}`, query, body: { resource: keyed } };
      }),
      fc.tuple(change, record, aMode, anId, related).map(([verb, body, query, id, more]) => ({
        table,
        line: `${verb} ${path}/${id}`,
        query: { ...query, ...more, ...byFirst },
        body,
      })),
      fc
        .tuple(change, record, aBatchMode, fc.array(anId, { minLength: 1, maxLength: 3 }))
        .map(([verb, one, query, ids]) => ({
          table,
          line: `${verb} ${path}`,
          query: { ...query, ...byFirst, ids: `${ids}` },
          body: { resource: [one] },
        })),
      fc.tuple(change, aRecord(table, relations, 0), aBatchMode, aSearch).map(([verb, one, query, search]) => ({
        table,
        line: `${verb} ${path}`,
        query: { ...query, ...search },
        body: { resource: [one] },
      })),
      fc.tuple(change, aRecord(table, relations, 0), aMode, aFilter(table)).map(([verb, one, query, filter]) => ({
        table,
        line: `${verb} ${path}`,
        query: { ...query, filter: filterText(filter) },
        body: { resource: [one] },
      })),
    );
    const deletes = fc.oneof(
      fc
        .tuple(aMode, anId)
        .map(([query, id]) => ({ table, line: `DELETE ${path}/${id}`, query: { ...query, ...byFirst } })),
      fc.tuple(aBatchMode, aFilter(table)).map(([query, filter]) => ({
        table,
        line: `DELETE ${path}`,
        query: { ...query, filter: filterText(filter) },
      })),
      fc
        .tuple(aBatchMode, aSearch)
        .map(([query, search]) => ({ table, line: `DELETE ${path}`, query: { ...query, ...search } })),
      fc.tuple(aBatchMode, fc.array(anId, { minLength: 1, maxLength: 3 })).map(([query, ids]) => ({
        table,
        line: `DELETE ${path}`,
        query: { ...query, ...byFirst, ids: `${ids}` },
      })),
      fc.constant({ table, line: `DELETE ${path}`, query: { force: 'true' } }),
    );
    return fc.oneof({ weight: 2, arbitrary: changes }, deletes);
  };
  return fc.constantFrom(...tableNames).chain(writes);
}
