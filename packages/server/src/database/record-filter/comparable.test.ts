// What access/definitely-passes.ts takes for certainly different is equal in no collation of any engine, and what databases keep
// otherwise than it is written is not compared.
import { fieldDescription } from '@sluice/sql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparableOf, definitelyPasses } from '../../access/definitely-passes.ts';
import { type EngineName, type Fixture, fixture, onEachEngine } from '../fixture/index.ts';
import { toComparable, toWrittenComparable } from './comparable.ts';

const texts =
  `a A á ä ae æ å aa ø o oe œ ü u ue y Y ß s ss S ł l đ d ð þ th ħ h ı i I ﬁ fi ① 1 ٣ 3 ａ 😀 😁 ñ n Müller Mueller muller
  groß gros GROSS naïve naive NAIVE größer secret Secret secrét открыт Открыт закрыт ё е й и 漢 汉 漢字 ひ ヒ ー ς σ Σ - a-b ab a.b
  % _ 10 9 007 7`
    .split(/\s+/)
    .concat('', ' ', 'a ', 'a\t', "it's");

/** Those that find the most texts equal. */
const collations: Record<EngineName, string[]> = {
  sqlite: ['BINARY', 'NOCASE', 'RTRIM'],
  pgsql: ['"C"', 'any_case', 'any_accent'],
  mysql: ['general_ci', 'unicode_ci', 'unicode_520_ci', 'german2_ci', 'swedish_ci', 'danish_ci'].map(
    (collation) => `utf8mb4_${collation}`,
  ),
};
const before: Record<EngineName, string> = {
  sqlite: '',
  pgsql: "CREATE COLLATION any_accent (provider = icu, locale = 'und-u-ks-level1', deterministic = false);",
  mysql: '',
};

await onEachEngine((engine) => {
  let db: Fixture;
  beforeAll(async () => {
    db = await fixture(engine);
    const rows = texts.map((text, at) => `(${at}, '${text.replaceAll("'", "''")}')`);
    await db.sql(
      `${before[engine]} CREATE TABLE texts (n integer, t varchar(40)); INSERT INTO texts VALUES ${rows.join(',')}`,
    );
  });
  afterAll(() => db?.stop());

  it.each(collations[engine])('%s', async (collation) => {
    const indexes = await db.sql(
      `SELECT a.n, b.n FROM texts AS a JOIN texts AS b ON a.t COLLATE ${collation} = b.t COLLATE ${collation}`,
    );
    const equal: [string, string][] = [];
    for (let at = 0; at < indexes.length; at += 2)
      equal.push([texts[Number(indexes[at])]!, texts[Number(indexes[at + 1])]!]);
    expect(equal.length).toBeGreaterThanOrEqual(texts.length);
    expect(equal.filter(([a, b]) => definitelyPasses('!=', comparableOf(a), [comparableOf(b)]))).toEqual([]);
  });
});

it('finds most texts that differ different', () => {
  const pairs = texts.flatMap((a) => texts.filter((b) => a !== b).map((b) => [a, b]));
  const different = pairs.filter(([a, b]) => definitelyPasses('!=', comparableOf(a), [comparableOf(b)]));
  expect(different.length / pairs.length).toBeGreaterThan(0.5);
});

describe('values of columns', () => {
  const column = (type: string, db_type: string, more: object = {}) => ({
    name: 'x',
    native: 'x',
    description: fieldDescription({ name: 'x', type: type as never, db_type, ...more }),
  });
  it.each<[string, ReturnType<typeof column>, unknown, string | null]>([
    ['text', column('string', 'varchar(10)'), 'a', 'text'],
    ['text of a padded type', column('string', 'character(5)'), 'a', 'text'],
    ['enum', column('string', "enum('internal','b')"), 'internal', 'text'],
    ['place in an enum', column('string', "enum('internal','b')"), '1', 'opaque'],
    ['array', column('string', 'text[]'), '{a}', 'opaque'],
    ['set', column('string', "set('char','b')"), 'char', 'token'],
    ['network address', column('string', 'inet'), '10.0.0.1', 'opaque'],
    ['word of a type unknown', column('string', 'mood'), 'happy', 'token'],
    ['type that SQLite takes for a number', column('string', 'POINTTEXT'), '1', 'opaque'],
    ['integer', column('integer', 'int'), 5, 'number'],
    ['decimal', column('decimal', 'decimal(10,2)', { precision: 10, scale: 2 }), '1.25', 'number'],
    [
      'decimal with digits to spare',
      column('decimal', 'decimal(10,2)', { precision: 10, scale: 2 }),
      '1.255',
      'opaque',
    ],
    ['decimal of many digits', column('decimal', 'decimal(20,2)', { scale: 2 }), '12345678901234.56', 'opaque'],
    ['decimal with an exponent', column('decimal', 'numeric'), '1e3', 'opaque'],
    ['double', column('double', 'double'), 0.1, 'number'],
    ['double with a scale', column('double', 'double(10,2)', { scale: 2 }), 0.125, 'opaque'],
    ['day', column('date', 'date'), '2020-01-01', 'moment'],
    ['day with a time', column('date', 'date'), '2020-01-01 10:00:00', 'opaque'],
    ['moment', column('timestamp', 'timestamp'), '2020-01-01 10:00:00', 'moment'],
    ['moment of the database', column('timestamp', 'timestamp'), { expression: 'now' }, 'opaque'],
    ['truth', column('boolean', 'tinyint(1)'), 1, 'boolean'],
    ['document', column('json', 'json'), '{}', 'opaque'],
    ['bytes', column('binary', 'bytea'), new Uint8Array([1]), 'opaque'],
    ['column without a type', column('string', ''), 'a', 'opaque'],
    ['null', column('integer', 'int'), null, null],
  ])('%s', (_, column, value, kind) => expect(toWrittenComparable(column, value)?.kind ?? null).toBe(kind));

  it('has both sides of a column of single precision rounded', () => {
    const single = column('float', 'float');
    const passes = (operator: '<' | '=', a: number, b: number) =>
      definitelyPasses(operator, toWrittenComparable(single, a), [toComparable(single, b)]);
    expect(passes('<', 0.1, 1)).toBe(true);
    expect(passes('=', 0.1, 0.1)).toBe(true);
    expect(passes('<', 0.1, 0.1000000001)).toBe(false);
  });
});
