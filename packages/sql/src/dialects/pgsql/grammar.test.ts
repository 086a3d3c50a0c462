import { expect, it } from 'vitest';
import { compileSelect } from '../../compile/index.ts';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import { grammar } from './grammar.ts';

const thing = aTable({ id: 'id', s: 'string', d: 'decimal' });
for (const { description } of thing.columns) {
  description.db_type = { id: 'integer', s: 'character varying(10)', d: 'numeric(10,2)' }[description.name] ?? '';
}
const compiled = (filter: string, type?: string) => {
  const column = thing.column('s')!;
  const before = column.description.db_type;
  if (type) column.description.db_type = type;
  const { sql, parameters } = compileSelect(
    { table: thing, columns: thing.key, where: bindFilter(parseFilter(filter), thing) },
    grammar,
  );
  column.description.db_type = before;
  return [sql.replace('select "id" from "thing" where ', ''), ...parameters];
};

it('LIKE compares texts, and a caller’s % is no more than that in contains', () => {
  expect(compiled("s like 'a%'")).toEqual(['"s" like $1', 'a%']);
  expect(compiled("s contains 'a'")).toEqual([`"s" like $1 escape ''`, '%a%']);
  expect(compiled("s not like 'a%'", 'uuid')).toEqual(['"s"::text not like $1', 'a%']);
  expect(compiled("s ends with 'a'", 'text[]')).toEqual([`"s"::text like $1 escape ''`, '%a']);
  expect(compiled("s like 'a'", 'character(3)')).toEqual(['"s"::text like $1', 'a']);
  expect(compiled('s contains id')[0]).toMatch(/^"s" like/);
});

const many = Array.from({ length: 501 }, () => "'x'").join(',');
it.each([
  ['character varying(3)', 'character varying'],
  ['character(3)', 'bpchar'],
  ['"Sales Dept".size', '"Sales Dept".size'],
  ['timestamp(3) without time zone', 'timestamp without time zone'],
  ['bit(4)', 'bit varying'],
  ['numeric(4,-2)', 'numeric'],
])('a long list of %s is an array of %s', (type, element) => {
  expect(compiled(`s in (${many})`, type)[0]).toBe(`"s" = any($1::${element}[])`);
});

it('writes a list of arrays out, and takes any text as an element', () => {
  expect(compiled(`s in (${many})`, 'text[]').slice(0, 2)).toEqual([expect.stringContaining('"s" in ($1, $2'), 'x']);
  expect(compiled(`s in (${many}, 'a"b\\c{},')`)[1]).toMatch(/^\{"x",.*,"a\\"b\\\\c\{\},"\}$/);
});
