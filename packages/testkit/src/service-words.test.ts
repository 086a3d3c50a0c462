// Every word of this server's service types that the console shows has German words.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceTypes as words } from '../../console/src/text/de/server/service-types.ts';
import { startPlatform, type TestPlatform } from './platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

interface Field {
  name: string;
  description: string;
  items?: string | { name: string }[];
}

it('every type, group and field of this server has German words', async () => {
  const { body } = await platform.ask('GET', 'system/service_type');
  const types = body.resource as { name: string; group: string; config_schema: Field[] | null }[];
  expect(types.length).toBeGreaterThan(5);
  const missing = types.flatMap(({ name, group, config_schema }) => [
    ...(words.groups[group] ? [] : [group]),
    ...(words.types[name]?.description ? [] : [name]),
    ...(config_schema ?? []).flatMap((field) => {
      const known = words.types[name]?.fields?.[field.name];
      const items = Array.isArray(field.items) ? field.items : [];
      const isWhole =
        known?.label && (known.description || !field.description) && items.every((item) => known.items?.[item.name]);
      return isWhole ? [] : [`${name}.${field.name}`];
    }),
  ]);
  expect(missing).toEqual([]);
});
