// The databases of foreign-schemas.e2e.ts, over the API alone: every record read, of every table one put back.
import { foreignSchemas, loadForeign, serviceOf } from './foreign.ts';
import { expect, test } from './instance.ts';
import { readAndPutBack } from './put-back.ts';

for (const schema of Object.values(foreignSchemas)) {
  test(`the ${schema.engine} schema of ${schema.package} is read whole and is afterwards as it was`, async ({
    instance,
  }) => {
    test.setTimeout(180_000);
    const { database, missing } = await loadForeign(schema);
    test.skip(missing !== undefined, missing);
    if (!database) return;
    try {
      const name = `${serviceOf(schema)}_whole`;
      const { host, port, user: username, password, database: own } = database;
      const config = { host, port, username, password, database: own, schema: 'default' };
      const creation = await instance.api('POST', 'system/service', {
        resource: [{ name, label: name, type: schema.engine, is_active: true, config }],
      });
      expect([name, creation.status]).toEqual([name, 201]);
      const { body } = await instance.api('GET', `${name}/_table?as_list=true`);
      const done = await readAndPutBack(instance, name, body.resource);
      expect(done.changed + done.replaced).toBeGreaterThan(body.resource.length / 4);
    } finally {
      await database.drop();
    }
  });
}
