// A typed client in a Node program: what is in a page, all pages, a change and its end, and a refusal.
import { and, createClient, gt, isNotNull, like, safe } from './sluice.ts';

const key = process.env.SLUICE_KEY;
if (!key) {
  console.error('Set SLUICE_KEY to an API key that may read and write the service world.');
  process.exit(1);
}
const sluice = createClient({ key, address: process.env.SLUICE });
const { world } = sluice.databases;

const large = world.cities.where(and(gt('population', 1_000_000), like('name', 'B%')));
const page = await world.cities.list({
  filter: large,
  fields: ['name', 'population'],
  related: { countries_by_country_code: { fields: ['name'] } },
  order: ['-population'],
  limit: 3,
  count: true,
});
console.log(`${page.count} large cities with B, the first ${page.records.length}:`);
for (const { name, population, countries_by_country_code: country } of page.records)
  console.log(`  ${name}, ${country?.name ?? 'nowhere'}: ${population}`);

let people = 0;
for await (const { population } of world.cities.all({ fields: ['population'], filter: isNotNull('population') }))
  people += population ?? 0;
console.log(`${people} people live in all cities.`);

const { id } = await world.cities.create({ name: "Land's End", country_code: 'GB', latitude: 50.07, longitude: -5.71 });
const changed = await world.cities.update(id, { population: 1 }, { fields: ['name', 'population'] });
console.log(`${changed.name} has ${changed.population}.`);
await world.cities.delete(id);

const { error } = await safe(world.cities.get(id));
console.log(error ? `It is gone: ${error.status} ${error.message}` : 'It is still there.');
