// Schema: tables from schema JSON, typed, dropped or chosen, and the schema of a service carried to another database; a table from
// pasted data.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, signIn } from './instance.ts';
import { type Design, designOf, type Engine, engines, id, recordWrites, test } from './schema-services.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toast = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();
const editor = (page: Page) => page.getByRole('textbox', { name: 'Schema JSON' });
const status = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /valid|exists|twice|name/i })
    .first();
const plan = (page: Page) => page.getByRole('group', { name: 'What this change would do' });

async function write(page: Page, text: string) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Drops a file as the pointer would. */
async function drop(target: Locator, file: string, text: string) {
  const transfer = await target.page().evaluateHandle(
    ([file, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text!], file!, { type: 'application/json' }));
      return transfer;
    },
    [file, text],
  );
  for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer: transfer });
}

/** Pastes in place of all there is. */
async function paste(target: Locator, text: string) {
  await target.click();
  await target.page().keyboard.press('ControlOrMeta+a');
  await target.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const reference = (name: string, table: string, more: object = {}) => ({
  ...{ name, type: 'reference', ref_table: table, ref_field: 'id', allow_null: true },
  ...more,
});

/**
 * Forty tables, those that are referenced last: each references the next one and one far behind it, the first is referenced by the
 * last, and one of them references itself.
 */
const forty = (prefix: string) => {
  const name = (index: number) => `${prefix}_${String(index + 1).padStart(2, '0')}`;
  return Array.from({ length: 40 }, (_, index) => ({
    ...{ name: name(index), label: `Store ${index + 1}`, plural: `Stores of ${index + 1}` },
    ...(index === 3 ? { alias: `${prefix}_four`, name_field: 'title', description: 'The fourth.' } : {}),
    field: [
      id,
      { name: 'title', type: 'string', length: 40 + index, allow_null: false, is_unique: index % 2 === 0 },
      { name: 'amount', type: 'decimal', precision: 10, scale: 2, allow_null: true, label: 'How much' },
      { name: 'made', type: 'date', allow_null: true, is_index: true },
      { name: 'done', type: 'boolean', allow_null: false, default: index % 3 === 0 },
      { name: 'kind', type: 'string', length: 9, allow_null: true, default: 'a', picklist: ['a', 'b c'] },
      reference('next_id', name((index + 1) % 40), { ref_on_delete: 'SET NULL' }),
      ...(index < 20 ? [reference('far_id', name(39 - index), { ref_on_delete: 'CASCADE' })] : []),
      ...(index === 7 ? [reference('parent_id', name(7))] : []),
    ],
  }));
};

/** What of a description both engines say in the same words. */
const comparable = ({ alias, name, label, plural, description, primary_key, name_field, field, constraints }: any) => ({
  ...{ alias, name, label, plural, description, primary_key, name_field },
  field: field.map(({ db_type, native, length, precision, ...rest }: any) => ({
    ...rest,
    size: rest.type === 'decimal' ? precision : rest.type === 'string' ? length : null,
  })),
  rules: Object.values<any>(constraints)
    .map((one) => [one.column_name, one.referenced_table_name, one.delete_rule, one.update_rule])
    .sort(),
});

const describeAll = async (design: Design, names: string[]) => Promise.all(names.map((name) => design.describe(name)));
const otherOf = (engine: Engine): Engine => (engine === 'sqlite' ? 'pgsql' : 'sqlite');

for (const engine of engines) {
  test.describe(engine, () => {
    test('SCH-008 SCH-025 SCH-040 forty tables in any order are uploaded, and carried to the other engine', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const other = designOf(designs, otherOf(engine));
      const tables = forty(`forty_${engine}_${info.retry}`);
      const names = tables.map(({ name }) => name);
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}`);
      await button(page, 'Upload JSON')
        .or(page.getByRole('link', { name: 'Upload JSON' }))
        .first()
        .click();
      const writes = recordWrites(page);
      await paste(editor(page), JSON.stringify({ resource: tables }, null, 2));
      await expect(status(page)).toHaveText('Valid: 40 tables.');
      const list = page.getByRole('region', { name: 'Tables in the JSON' });
      await expect(list.getByRole('row')).toHaveCount(41);
      await expect(list.getByRole('row').nth(1)).toHaveText(new RegExp(`${names[0]}.*New`));
      await expect(plan(page)).toContainText('Changes 40 tables');
      expect(writes.filter(({ call }) => !call.includes('_plan'))).toEqual([]);
      await button(page, 'Upload').click();
      await toast(page, 'Tables created successfully.');
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/${names[0]}`);
      expect(writes.map(({ call }) => call)).toEqual([`POST ${design.name}/_schema`]);
      expect(writes[0]!.body).toEqual({ resource: tables });
      const made = await describeAll(design, names);
      expect(made.map(({ name, label, alias }) => [name, label, alias])).toEqual(
        tables.map(({ name, label, alias }: any) => [name, label, alias ?? null]),
      );
      const referencesOf = (fields: any[]) =>
        fields
          .filter(({ ref_table }) => ref_table)
          .map(({ name, ref_table, ref_field }) => [name, ref_table, ref_field]);
      expect(made.map(({ field }) => referencesOf(field))).toEqual(tables.map(({ field }) => referencesOf(field)));

      // What is downloaded here and dropped on the other engine gives the same tables.
      await page.goto(`${instance.url}/schema/${design.name}?make=upload`);
      const downloading = page.waitForEvent('download');
      await button(page, 'Download schema JSON').click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`${design.name}-schema.json`);
      const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
      const mine = saved.resource.filter(({ name }: { name: string }) => names.includes(name));
      await page.goto(`${instance.url}/schema/${other.name}?make=upload`);
      await drop(editor(page), 'schema.json', JSON.stringify({ resource: mine }));
      await expect(status(page)).toHaveText('Valid: 40 tables.');
      await button(page, 'Upload').click();
      await toast(page, 'Tables created successfully.');
      const carried = await describeAll(other, names);
      expect(carried.map(comparable)).toEqual(made.map(comparable));
    });

    test('SCH-023 SCH-024 SCH-025 what an upload cannot do is said, with the table and the line', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const name = (word: string) => `bad_${word}_${info.retry}`;
      const table = (word: string, ...fields: object[]) => ({ name: name(word), field: [id, ...fields] });
      await design.make(table('there'));
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}?make=upload`);
      const writes = recordWrites(page);

      await write(page, '{ "resource": [\n  { "name": }\n] }');
      await expect(status(page)).toContainText('The schema JSON is not valid. The mistake is at line 2, column 13.');
      await button(page, 'Upload').click();
      await expect(page.getByText(/^The schema JSON is not valid\./).last()).toBeVisible();
      await button(page, 'Show line 2').click();
      await expect(editor(page)).toBeFocused();
      await page.keyboard.insertText('1');

      await page.locator('input[type=file]').setInputFiles({
        ...{ name: 'there.json', mimeType: 'application/json' },
        buffer: Buffer.from(`\uFEFF${JSON.stringify([table('there'), table('new')])}`),
      });
      await expect(status(page)).toHaveText('The table name already exists.');
      await button(page, 'Upload').click();
      await expect(page.getByText('The table name already exists.', { exact: true }).last()).toBeVisible();
      expect(writes).toEqual([]);

      const odd = { name: 'size', type: 'string', length: 'wide' };
      const text = JSON.stringify({ resource: [table('one'), table('two', odd), table('three')] }, null, 2);
      await write(page, text);
      // It is known before anything is sent.
      await expect(plan(page)).toContainText(`${name('two')}: The length of 'size' must be a whole number.`);
      await button(page, 'Upload').click();
      const failure = page.getByRole('alert').filter({ hasText: 'Some tables were made, others were not' });
      await expect(failure.getByRole('listitem')).toHaveText([
        new RegExp(`^${name('two')}: The length of 'size' must be a whole number. Show line \\d+$`),
        `1 table was made: ${name('one')}`,
        `1 table was not tried, since another one failed before it: ${name('three')}`,
      ]);
      const line = text.split('\n').findIndex((part) => part.includes('"size"'));
      await failure.getByRole('button', { name: `Show line ${line}` }).click();
      await expect(editor(page)).toBeFocused();
      await expect(page.getByRole('link', { name: name('one'), exact: true })).toBeVisible();
      await failure.getByRole('button', { name: 'Leave out the tables that were made' }).click();
      await expect(status(page)).toHaveText('Valid: 2 tables.');
      await write(page, text.replace('"wide"', '9').replaceAll(name('one'), name('four')));
      await button(page, 'Upload').click();
      await toast(page, 'Tables created successfully.');
      expect((await design.describe(name('two'))).field).toMatchObject([{ name: 'id' }, { name: 'size', length: 9 }]);
    });

    test('a table is made of pasted cells, with types that were guessed and changed', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const table = `prices_${info.retry}`;
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}?make=paste`);
      const writes = recordWrites(page);
      const cells = [
        '\uFEFFNr;Name;Preis;Datum;Notiz;Name;Rabatt',
        '17;"Müller; Söhne";1.234,50;01.02.2024;"zwei\nZeilen, ""zitiert""";a;',
        '18;Bäcker;0,5;31.12.2023;;b;10',
      ];
      await paste(page.getByRole('textbox', { name: 'Data' }), cells.join('\r\n'));
      await expect(page.getByText('Pasted text: 2 rows, 7 columns')).toBeVisible();
      const typeOf = (column: string) => page.getByRole('combobox', { name: `Type of ${column}`, exact: true });
      await expect(typeOf('Nr')).toHaveValue('integer');
      await expect(typeOf('Preis')).toHaveValue('decimal');
      await expect(typeOf('Datum')).toHaveValue('date');
      await expect(typeOf('Notiz')).toHaveValue('text');
      await expect(page.getByText('Preis: all 2 values are numbers, with a comma before the fraction')).toBeVisible();
      await typeOf('Rabatt').selectOption('string');
      await page.getByRole('checkbox', { name: 'Nr is the primary key' }).check();
      await button(page, 'Create the table').click();
      await expect(page.getByRole('textbox', { name: 'Table name' })).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByRole('textbox', { name: 'Table name' })).toBeFocused();
      await page.keyboard.insertText(table);
      const preview = page.getByRole('region', { name: 'Rows as they would be inserted' });
      await expect(preview.getByRole('row').nth(2).getByRole('cell')).toHaveText([
        '18',
        'Bäcker',
        '0.5',
        '2023-12-31',
        'NULL',
        'b',
        '10',
      ]);
      await expect(plan(page)).toContainText('Changes the database in one step');
      expect(writes.filter(({ call }) => !call.includes('_plan'))).toEqual([]);
      await button(page, 'Create the table').click();
      await toast(page, 'All records were inserted.');
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/${table}`);
      const described = await design.describe(table);
      expect(described.primary_key).toEqual(['nr']);
      expect(described.field.map(({ name, allow_null }: any) => [name, allow_null])).toEqual([
        ...[
          ['nr', false],
          ['name', false],
          ['preis', false],
          ['datum', false],
        ],
        ...[
          ['notiz', true],
          ['name_2', false],
          ['rabatt', true],
        ],
      ]);
      const { resource } = (await instance.api('GET', `${design.name}/_table/${table}?order=nr`)).body;
      expect(resource.map((row: any) => ({ ...row, preis: Number(row.preis) }))).toEqual([
        {
          ...{ nr: 17, name: 'Müller; Söhne', preis: 1234.5, datum: '2024-02-01', name_2: 'a', rabatt: null },
          notiz: 'zwei\nZeilen, "zitiert"',
        },
        { nr: 18, name: 'Bäcker', preis: 0.5, datum: '2023-12-31', notiz: null, name_2: 'b', rabatt: '10' },
      ]);
    });

    test('pasted records are inserted in batches, past a stop, a refused row and a lost answer', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const table = `parts_${info.retry}`;
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}?make=paste`);
      const rows = Array.from({ length: 2400 }, (_, index) => `c${index + 1},${index + 1}`);
      rows[9] = 'c10,big';
      rows[1199] = 'c1,1200';
      await drop(page.getByRole('textbox', { name: 'Data' }), `${table}.csv`, ['code,size', ...rows].join('\n'));
      await expect(page.getByRole('textbox', { name: 'Table name' })).toHaveValue(table);
      await page.getByRole('combobox', { name: 'Type of size' }).selectOption('integer');
      await expect(page.getByText('1 value does not fit')).toBeVisible();
      await page.getByRole('checkbox', { name: 'code is the primary key' }).check();

      // The second batch waits until it is stopped; of the fourth the answer is lost.
      let isStopped = () => {};
      const stop = new Promise<void>((done) => {
        isStopped = done;
      });
      let batches = 0;
      await page.route(`**/_table/${table}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        batches += 1;
        if (batches === 2) await stop;
        if (batches !== 5) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await button(page, 'Create the table').click();
      await expect(page.getByText('500 of 2,400 records are in the table')).toBeVisible();
      await button(page, 'Stop').click();
      isStopped();
      const ended = page.getByRole('alert');
      await expect(ended).toContainText('Stopped');
      await expect(page.getByText('1,000 of 2,400 records are in the table')).toBeVisible();
      await button(page, 'Go on').click();
      await expect(ended).toContainText('A row was refused');
      // The heading and the row that does not fit are not among them.
      await expect(page.getByText('1,198 of 2,400 records are in the table')).toBeVisible();
      const leftOut = page.getByRole('list', { name: 'Rows that were left out' });
      await expect(leftOut.getByRole('listitem')).toHaveText([
        'Row 10: The value of size does not fit.',
        /^Row 1,200: ./,
      ]);
      await button(page, 'Leave out refused rows and go on').click();
      await expect(ended).toContainText('No answer came');
      await button(page, 'Check and go on').click();
      await expect(page.getByText('2,398 of 2,400 records are in the table')).toBeVisible();
      await expect(page.getByText('2 rows were left out')).toBeVisible();
      const sizes: number[] = [];
      for (const offset of [0, 1000, 2000]) {
        const path = `${design.name}/_table/${table}?fields=size&order=size&limit=1000&offset=${offset}`;
        sizes.push(...(await instance.api('GET', path)).body.resource.map(({ size }: { size: number }) => size));
      }
      expect(sizes).toEqual(rows.map((_, index) => index + 1).filter((row) => row !== 10 && row !== 1200));
      await page.getByRole('link', { name: 'Open the table' }).click();
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/${table}`);
    });
  });
}

test('fifty thousand rows and nested JSON become tables; a message names input that is too large', async ({
  page,
  instance,
  designs,
}, info) => {
  test.setTimeout(240_000);
  const design = designs.sqlite!;
  const table = `large_${info.retry}`;
  await signIn(page, instance);
  await page.goto(`${instance.url}/schema/${design.name}?make=paste`);
  const data = page.getByRole('textbox', { name: 'Data' });
  await drop(data, 'huge.csv', 'x'.repeat(20 * 1024 * 1024 + 1));
  await expect(page.getByRole('alert')).toContainText('huge.csv is larger than 20 MB.');

  await page.evaluate(() => {
    let last = performance.now();
    Object.assign(window, { longestFrame: 0 });
    const look = (now: number) => {
      Object.assign(window, { longestFrame: Math.max((window as any).longestFrame, now - last) });
      last = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const rows = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\t"part ${index}"\t${index / 4}\tyes`);
  await drop(data, `${table}.tsv`, ['id\tname\tprice\tactive', ...rows].join('\n'));
  await expect(page.getByText(`${table}.tsv: 50,000 rows, 4 columns`)).toBeVisible();
  await button(page, 'Create the table').click();
  // A slow machine inserts two thousand in a second.
  await expect(page.getByText('All records were inserted.', { exact: true }).first()).toBeVisible({ timeout: 150_000 });
  // A page that stands still for seconds has read or sent all at once.
  expect(await page.evaluate(() => (window as any).longestFrame)).toBeLessThan(5_000);
  const counted = await instance.api('GET', `${design.name}/_table/${table}?filter=active%3Dtrue&count_only=true`);
  expect(counted.body).toBe(50_000);

  await page.goto(`${instance.url}/schema/${design.name}?make=paste`);
  const people = [
    { id: 5, name: 'Ada', born: '1815-12-10', address: { town: 'London', lines: ['a', 'b'] } },
    { id: 6, name: 'Bob', tags: [], address: null },
  ];
  await paste(data, JSON.stringify(people));
  await expect(page.getByRole('combobox', { name: 'Type of address' })).toHaveValue('text');
  await expect(page.getByRole('checkbox', { name: 'id is the primary key' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Table name' }).fill(`people_${info.retry}`);
  await button(page, 'Create the table').click();
  await toast(page, 'All records were inserted.');
  const { resource } = (await instance.api('GET', `${design.name}/_table/people_${info.retry}?order=id`)).body;
  expect(resource.map(({ address, ...rest }: any) => ({ ...rest, address: JSON.parse(address) }))).toEqual([
    { ...people[0], tags: null },
    { ...people[1], born: null, tags: '[]' },
  ]);
});
