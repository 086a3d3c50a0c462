import { expect, it } from 'vitest';
import { compileSelect, compileWrite } from '../../compile/index.ts';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import { grammar, mysql8Grammar } from './grammar.ts';

const table = aTable({ id: 'id', exact: 'decimal', long: 'decimal', flt: 'float', name: 'string', other: 'string' });
table.column('exact')!.description.db_type = 'decimal(38,10)';
table.column('long')!.description.db_type = 'decimal(65,5)';
table.column('flt')!.description.db_type = 'float';
const select = (filter: string) =>
  compileSelect({ table, columns: table.key, where: bindFilter(parseFilter(filter), table) }, grammar).sql;

it.each([
  ['exact = 1.5', '`exact` = cast(? as decimal(65, 30))'],
  ['exact between 1 and 2', '`exact` between cast(? as decimal(65, 30)) and cast(? as decimal(65, 30))'],
  ['exact in (1, 2)', '`exact` in (cast(? as decimal(65, 30)), cast(? as decimal(65, 30)))'],
  ['flt = 0.1', '`flt` = cast(? as float)'],
  ['name contains (other)', "`name` like concat(?, `other`, ?) escape x'00'"],
  ['name like a%', '`name` like ?'],
])('%s', (filter, sql) => expect(select(filter)).toBe(`select \`id\` from \`thing\` where ${sql}`));

it('leaves room for the digits of a number before the point', () => {
  expect(select('long = 1')).toContain('as decimal(65, 5)');
});

it('asks a server for no rows that cannot return them', () => {
  const where = bindFilter(parseFilter('id = 1'), table);
  const sql = (dialectGrammar: typeof grammar) => [
    compileWrite({ kind: 'insert', table, values: { id: 1 }, returning: table.key }, dialectGrammar).sql,
    compileWrite({ kind: 'update', table, values: { name: 'x' }, where, returning: table.key }, dialectGrammar).sql,
    compileWrite({ kind: 'delete', table, where, returning: table.key }, dialectGrammar).sql,
  ];
  expect(sql(grammar)).toEqual([
    'insert into `thing` (`id`) values (?) returning `id`',
    'update `thing` set `name` = ? where `id` = ?',
    'delete from `thing` where `id` = ? returning `id`',
  ]);
  expect(sql(mysql8Grammar)).toEqual([
    'insert into `thing` (`id`) values (?)',
    'update `thing` set `name` = ? where `id` = ?',
    'delete from `thing` where `id` = ?',
  ]);
});
