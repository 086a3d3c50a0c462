// Documents of whole services are what the standard says, in both forms.
import { nastySql as nastyMysql } from '@sluice/sql/dialects/mysql/nasty.fixture';
import { nastySql as nastyPgsql } from '@sluice/sql/dialects/pgsql/nasty.fixture';
import { startPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleOf, makeExample } from '../services/example.fixture.ts';
import { type Document, expectValid, forms } from './valid.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

const document = async (path: string): Promise<Document> => {
  const { status, body, text } = await platform.ask('GET', path);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
};

describe.each(forms)('form %s', (form) => {
  it('the documents of the services of a fresh instance, and that of all, are valid', async () => {
    const { body } = await platform.ask('GET', 'api_docs?as_list=true');
    expect(body.resource).toEqual(
      expect.arrayContaining(['system', 'api_docs', 'files', 'logs', 'db', 'email', 'user']),
    );
    for (const service of body.resource)
      await expectValid(await document(`api_docs/${service}?openapi=${form}`), service);
    await expectValid(await document(`api_docs?openapi=${form}`), 'all');
  });
});

it('a form that an operation takes stands beside its body, in both forms of documents', async () => {
  const file = {
    '3.0': { type: 'string', format: 'binary', description: expect.any(String) },
    '3.1': { type: 'string', contentMediaType: 'application/octet-stream', description: expect.any(String) },
  };
  for (const form of forms) {
    const { paths } = (await document(`api_docs/system?openapi=${form}`)) as unknown as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: unknown }> } } }>;
    };
    const { content } = paths['/app']!.post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
    expect(content['multipart/form-data']?.schema).toEqual({
      type: 'object',
      required: ['file'],
      properties: {
        file: file[form],
        storage_service_id: { type: 'integer', description: expect.any(String) },
        storage_container: { type: 'string', description: expect.any(String) },
      },
    });
  }
});

it('the document of a service of each type is valid', async () => {
  for (const type of platform.types) {
    const example = await exampleOf(type.name);
    if (type.singleton || example.needsServer || (await example.missing?.())) continue;
    const { service, release } = await makeExample(platform, type);
    for (const form of forms) await expectValid(await document(`api_docs/${service}?openapi=${form}`), type.name);
    await release?.();
  }
});

const foreign = [
  { engine: 'pgsql', sql: () => nastyPgsql },
  { engine: 'mysql', sql: nastyMysql },
] as const;

for (const { engine, sql } of foreign)
  it.skipIf(await engineMissing(engine))(
    `a ${engine} database that nobody here designed has a valid document`,
    async () => {
      const place = await freshDatabase(engine);
      const other = await freshDatabase(engine);
      await place.run(sql(place.database, other.database));
      const { host, port, database, user: username, password } = place;
      const config = { host, port, database, username, password };
      await platform.create('service', { name: engine, label: engine, type: engine, is_active: true, config });
      const { body: tables } = await platform.ask('GET', `${engine}/_table?as_list=true`);
      for (const form of forms) {
        const described = await document(`api_docs/${engine}?openapi=${form}`);
        await expectValid(described, form);
        for (const table of tables.resource) {
          // A view that is broken has nothing to describe.
          const { status, body } = await platform.ask('GET', `${engine}/_schema/${encodeURIComponent(table)}`);
          const isDescribed = `/_table/${encodeURIComponent(table)}` in described.paths;
          expect([table, isDescribed, body.error]).toEqual([table, status === 200, body.error]);
        }
      }
      await platform.ask('DELETE', `system/service?filter=name=${engine}`);
      await place.run(engine === 'mysql' ? 'set foreign_key_checks = 0; drop table if exists outward' : 'select 1');
      await other.drop();
      await place.drop();
    },
  );
