// The sample database: 100,000 rows that go out as they are read, in every format, and what is asked of long tables.
import type { CallGroup, CallLine } from '../call.ts';

const t = 'world/_table';

export const world: CallGroup[] = [
  {
    title: 'world',
    calls: [
      'GET world?as_access_list=true',
      `GET ${t}?fields=*`,
      'GET world/_schema/people',
      'GET world/_schema/order_items',
      `GET ${t}/countries`,
      `GET ${t}/countries?fields=code,flag&limit=3`,
      `GET ${t}/countries/CH?related=*`,
      `GET ${t}/people?limit=5&related=companies_by_company_id.cities_by_city_id,orders_by_person_id`,
      `GET ${t}/people?filter=last_name starts with "B"&order=last_name,first_name,id&limit=20&fields=last_name,first_name`,
      `GET ${t}/people?filter=(salary > 90000) and (is_subscribed = true)&count_only=true`,
      `GET ${t}/people?include_count=true&limit=1&offset=18000`,
      `GET ${t}/people`,
      `GET ${t}/orders?limit=100000&fields=id,total`,
      `GET ${t}/orders?filter=note is not null&limit=3000`,
      `GET ${t}/companies?group=industry&fields=industry&order=industry`,
      `GET ${t}/cities?order=population desc nulls last,id&limit=10`,
      [
        `GET ${t}/people?after=&limit=50&order=last_name desc&fields=id,last_name`,
        { status: 200, keep: { 'world.after': 'meta.after' } },
      ],
      [`GET ${t}/people?after={{world.after}}&limit=50&order=last_name desc&fields=id,last_name`, { status: 200 }],
      `GET ${t}/order_items?ids=1,2`,
      `GET ${t}/order_items?limit=2&related=orders_by_order_id`,
    ],
  },
  {
    title: 'exports',
    calls: [
      ...[
        'countries.csv',
        'cities.xml',
        'companies.json',
        'people.csv',
        'orders.json',
        'order_items.csv',
        'people.json',
      ].map((file): CallLine => [`GET ${t}/${file.split('.')[0]}?file=${file}`, { status: 200 }]),
      [`GET ${t}/order_items?file=all.json&fields=order_id,product`, { as: 'reader' }],
      `GET ${t}/orders?file=with.json&related=order_items_by_order_id&fields=id`,
      `GET ${t}/people?file=some.csv&filter=id < 5000&order=email desc&fields=email`,
      [`GET ${t}/people`, { headers: { Accept: 'text/csv' } }],
      `HEAD ${t}/people?file=people.csv`,
    ],
  },
];
