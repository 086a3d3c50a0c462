// Records that belong together although their values differ as texts: the database decides what is equal.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, onEachEngine, serviceOver } from './fixture/index.ts';

/** Types of texts whose letter case does not count. */
const foldedTypes = {
  sqlite: 'text collate nocase',
  pgsql: 'citext',
  mysql: 'varchar(20) character set utf8mb4 collate utf8mb4_general_ci',
};

await onEachEngine((engine) => {
  let db: Fixture;
  let platform: TestPlatform;
  const folded = foldedTypes[engine];

  beforeAll(async () => {
    db = await fixture(engine);
    if (engine === 'pgsql') await db.sql('create extension if not exists citext');
    await db.sql(`create table genre (code ${folded} not null primary key, n varchar(9));
      create table book (id integer primary key, code ${folded}, foreign key (code) references genre (code));
      create table reader (id integer primary key);
      create table likes (reader_id integer not null, code ${folded} not null, primary key (reader_id, code),
        foreign key (reader_id) references reader (id), foreign key (code) references genre (code));
      insert into genre values ('ABC', 'x'), ('Def', 'y'), ('ghi', 'z');
      insert into book values (1, 'abc'), (2, 'ABC'), (3, 'ABC'), (4, 'def'), (5, 'ghi'), (6, null);
      insert into reader values (1), (2);
      insert into likes values (1, 'abc'), (1, 'DEF'), (2, 'aBc')`);
    if (engine !== 'sqlite')
      await db.sql(`create table land (code char(5) not null primary key);
        create table town (id integer primary key, code char(8), foreign key (code) references land (code));
        insert into land values ('DE'); insert into town values (1, 'DE')`);
    platform = await startPlatform();
    await platform.create('service', serviceOver(db, 'shop'));
  });
  afterAll(async () => {
    await platform?.stop();
    await db?.stop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: records of many shapes
  type Item = any;
  const list = async (path: string): Promise<Item[]> =>
    (await platform.ask('GET', `shop/_table/${path}`)).body.resource;
  const codes = (items: Item[]) => items.map(({ code }) => code);

  it('belongs_to finds the record that the foreign key points to', async () => {
    const books = await list('book?related=genre_by_code&order=id');
    expect(books.map(({ genre_by_code }) => genre_by_code?.n ?? null)).toEqual(['x', 'x', 'x', 'y', 'z', null]);
    // Two values that are one record, of which none is found by its text.
    const some = await list('book?related=genre_by_code&order=id&filter=id%20in%20(1,2)');
    expect(some.map(({ genre_by_code }) => genre_by_code.n)).toEqual(['x', 'x']);
  });

  it('has_many and many_many find the records that point here', async () => {
    const genres = await list('genre?related=book_by_code,reader_by_likes&order=n');
    expect(genres.map(({ book_by_code }) => book_by_code.map(({ id }: Item) => id))).toEqual([[1, 2, 3], [4], [5]]);
    expect(genres.map(({ reader_by_likes }) => reader_by_likes.map(({ id }: Item) => id))).toEqual([[1, 2], [1], []]);
    const readers = await list('reader?related=genre_by_likes&order=id');
    expect(readers.map(({ genre_by_likes }) => codes(genre_by_likes))).toEqual([['ABC', 'Def'], ['ABC']]);
  });

  it('ids that are one record to the database each get it', async () => {
    expect(codes(await list('genre?ids=abc,ABC,DEF,ghi'))).toEqual(['ABC', 'ABC', 'Def', 'ghi']);
    expect(codes(await list('genre?ids=abc,ABC'))).toEqual(['ABC', 'ABC']);
  });

  it('a parent in a record is found, and not made again', async () => {
    const body = { resource: [{ id: 7, code: 'gHI', genre_by_code: { code: 'GHI', n: 'zz' } }] };
    expect((await platform.ask('POST', 'shop/_table/book', { body })).status).toBe(200);
    expect(await db.sql("select n from genre where code = 'ghi'")).toEqual(['zz']);
  });

  if (engine !== 'sqlite')
    it('blanks that pad a text do not count', async () => {
      expect(await list('town?related=land_by_code')).toMatchObject([{ id: 1, land_by_code: {} }]);
      expect(await list('land?related=town_by_code')).toMatchObject([{ town_by_code: [{ id: 1 }] }]);
    });
});
