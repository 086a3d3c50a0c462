// The six tables of the sample database and their rows, 100,000 in all. Each table has its own seed, so that changing
// one leaves the others as they were.
import { type Random, seeded } from './random.ts';
import * as words from './words.ts';

export type Value = string | number | bigint | Uint8Array | null;

export interface SampleTable {
  name: string;
  create: string;
  /** Values in the order of the columns. */
  rows(): Iterable<Value[]>;
}

const sizes = {
  cities: 3_000,
  companies: 2_440,
  people: 18_500,
  orders: 24_000,
  order_items: 52_000,
} as const;

/** The tables in the order in which they must be filled. */
export const sampleTables: SampleTable[] = [
  {
    name: 'countries',
    create: `code char(2) NOT NULL PRIMARY KEY, name varchar(80) NOT NULL UNIQUE, capital varchar(80),
      continent varchar(20) NOT NULL, population bigint NOT NULL, area_km2 decimal(10,1) NOT NULL,
      currency char(3) NOT NULL, calling_code varchar(8), is_landlocked boolean NOT NULL DEFAULT 0, flag blob`,
    rows: countries,
  },
  {
    name: 'cities',
    create: `id integer PRIMARY KEY AUTOINCREMENT, name varchar(80) NOT NULL,
      country_code char(2) NOT NULL REFERENCES countries (code), population integer, latitude double NOT NULL,
      longitude double NOT NULL, is_capital boolean NOT NULL DEFAULT 0, founded date, elevation_m float`,
    rows: cities,
  },
  {
    name: 'companies',
    create: `id integer PRIMARY KEY AUTOINCREMENT, name varchar(120) NOT NULL,
      city_id integer NOT NULL REFERENCES cities (id), industry varchar(40) NOT NULL, employees integer,
      revenue decimal(14,2), is_public boolean NOT NULL DEFAULT 0, website varchar(200), founded date, profile json`,
    rows: companies,
  },
  {
    name: 'people',
    create: `id integer PRIMARY KEY AUTOINCREMENT, first_name varchar(60) NOT NULL, last_name varchar(60) NOT NULL,
      email varchar(160) NOT NULL UNIQUE, phone varchar(24), birth_date date,
      city_id integer NOT NULL REFERENCES cities (id), company_id integer REFERENCES companies (id) ON DELETE SET NULL,
      job_title varchar(60), salary decimal(10,2), card_number bigint NOT NULL,
      is_subscribed boolean NOT NULL DEFAULT 1, notes text, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP`,
    rows: people,
  },
  {
    name: 'orders',
    create: `id integer PRIMARY KEY AUTOINCREMENT, person_id integer NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      status varchar(12) NOT NULL DEFAULT 'open', ordered_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
      shipped_on date, deliver_at time, total decimal(10,2) NOT NULL, currency char(3) NOT NULL DEFAULT 'EUR',
      is_gift boolean NOT NULL DEFAULT 0, note varchar(255)`,
    rows: orders,
  },
  {
    name: 'order_items',
    create: `order_id integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE, line integer NOT NULL,
      product varchar(120) NOT NULL, quantity integer NOT NULL DEFAULT 1, unit_price decimal(10,2) NOT NULL,
      discount float, PRIMARY KEY (order_id, line)`,
    rows: orderItems,
  },
];

/** Columns that lists of the console and of the tour search by. */
export const sampleIndexes = [
  'cities (country_code)',
  'companies (city_id)',
  'people (city_id)',
  'people (company_id)',
  'people (last_name, first_name)',
  'orders (person_id)',
  'orders (ordered_at)',
] as const;

function* countries(): Iterable<Value[]> {
  const random = seeded(1);
  for (const [code, name, capital, continent, thousands, area, currency, calling, isLandlocked] of words.countries)
    yield [
      code,
      name,
      capital,
      continent,
      thousands * 1000,
      area,
      currency,
      calling,
      flag(isLandlocked),
      stripes(random),
    ];
}

function* cities(): Iterable<Value[]> {
  const random = seeded(2);
  for (let id = 1; id <= sizes.cities; id++) {
    const capital = words.countries[id - 1];
    const country = capital ?? random.pick(words.countries);
    const [code, , , , thousands] = country;
    const [latitude, longitude] = capital ? [capital[9], capital[10]] : nearby(random, country);
    const name = capital?.[2] ?? placeName(random);
    const share = capital ? 0.06 : 0.00002 + random.fraction() ** 4 * 0.02;
    yield [
      id,
      name,
      code,
      random.chance(0.03) && !capital ? null : Math.round(thousands * 1000 * share) + random.whole(80, 990),
      latitude,
      longitude,
      flag(capital !== undefined),
      random.chance(0.4) ? date(random, 1100, 1900) : null,
      random.chance(0.2) ? null : rounded(random.fraction() ** 2 * 2400, 1),
    ];
  }
}

function* companies(): Iterable<Value[]> {
  const random = seeded(3);
  for (let id = 1; id <= sizes.companies; id++) {
    const [start, end] = [random.pick(words.companyStarts), random.pick(words.companyEnds)];
    const employees = Math.round(3 + random.fraction() ** 5 * 42_000);
    const founded = date(random, 1890, 2024);
    const profile = {
      tags: [
        random.pick(words.industries).toLowerCase(),
        random.pick(['export', 'family-owned', 'listed', 'start-up']),
      ],
      rating: rounded(1 + random.fraction() * 4, 1),
      contact: { phone: phone(random), verified: random.chance(0.7) },
    };
    yield [
      id,
      `${start} ${end} ${random.pick(words.companyForms)}`,
      random.whole(1, sizes.cities),
      random.pick(words.industries),
      employees,
      random.chance(0.1) ? null : cents(employees * (40_000 + random.fraction() * 160_000)),
      flag(random.chance(0.12)),
      random.chance(0.15) ? null : `https://${`${start}-${end}`.toLowerCase()}-${id}.example`,
      random.chance(0.05) ? null : founded,
      random.chance(0.25) ? null : JSON.stringify(profile),
    ];
  }
}

function* people(): Iterable<Value[]> {
  const random = seeded(4);
  for (let id = 1; id <= sizes.people; id++) {
    const [first, last] = [random.favour(words.firstNames), random.favour(words.lastNames)];
    const works = random.chance(0.7);
    yield [
      id,
      first,
      last,
      `${plain(first)}.${plain(last)}.${id}@example.${random.pick(['com', 'org', 'net'])}`,
      random.chance(0.15) ? null : phone(random),
      random.chance(0.05) ? null : date(random, 1940, 2007),
      random.whole(1, sizes.cities),
      works ? random.whole(1, sizes.companies) : null,
      works ? random.pick(words.jobTitles) : null,
      works ? cents(18_000 + random.fraction() ** 3 * 180_000) : null,
      // Sixteen and more digits: past what a JSON number can carry.
      9_007_199_254_740_993n + BigInt(id) * 7_919n,
      flag(random.chance(0.6)),
      random.chance(0.9) ? null : random.pick(words.notes),
      dateTime(random, 2015, 2026),
    ];
  }
}

function* orders(): Iterable<Value[]> {
  const random = seeded(5);
  const totals = new Array<number>(sizes.orders).fill(0);
  for (const [order, , , quantity, price, discount] of orderItems())
    totals[Number(order) - 1]! += Number(quantity) * Number(price) * (1 - Number(discount ?? 0));
  for (let id = 1; id <= sizes.orders; id++) {
    const status = random.favour(['delivered', 'shipped', 'open', 'paid', 'returned', 'cancelled'] as const);
    const ordered = dateTime(random, 2021, 2026);
    const isSent = status === 'delivered' || status === 'shipped' || status === 'returned';
    yield [
      id,
      random.whole(1, sizes.people),
      status,
      ordered,
      isSent ? laterDay(ordered, random.whole(1, 9)) : null,
      random.chance(0.8) ? null : `${two(random.whole(8, 20))}:${random.pick(['00', '15', '30', '45'])}:00`,
      cents(totals[id - 1]!),
      random.favour(['EUR', 'USD', 'GBP', 'JPY'] as const),
      flag(random.chance(0.08)),
      random.chance(0.88) ? null : random.pick(words.orderNotes),
    ];
  }
}

function* orderItems(): Iterable<Value[]> {
  const random = seeded(6);
  // One line for each order, the others fall where they may.
  const lines = new Array<number>(sizes.orders).fill(1);
  for (let left = sizes.order_items - sizes.orders; left > 0; left--) lines[random.whole(0, sizes.orders - 1)]! += 1;
  for (const [index, count] of lines.entries())
    for (let line = 1; line <= count; line++) {
      const [product, price] = random.favour(words.goods);
      const discount = random.chance(0.85) ? null : random.pick([0.05, 0.1, 0.15, 0.25]);
      yield [index + 1, line, product, random.favour([1, 1, 2, 3, 4, 6, 12]), price, discount];
    }
}

// ---- values ----

const flag = (value: boolean) => (value ? 1 : 0);
const two = (value: number) => String(value).padStart(2, '0');
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const cents = (value: number) => rounded(value, 2);
const plain = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    // The bar through it is no accent that could be taken off.
    .replaceAll('ł', 'l')
    .replace(/[^a-z]/g, '');
const phone = (random: Random) =>
  `+${random.whole(1, 98)} ${random.whole(100, 999)} ${random.whole(100_000, 9_999_999)}`;

function placeName(random: Random): string {
  const name = `${random.pick(words.placeStarts)}${random.pick(words.placeEnds)}`;
  const before = random.chance(0.08) ? `${random.pick(['New', 'Old', 'Upper', 'Lower', 'Port', 'St'])} ` : '';
  return before + name;
}

/** A place around the capital, further away in a larger country. */
function nearby(random: Random, [, , , , , area, , , , latitude, longitude]: words.CountryRow): [number, number] {
  const reach = Math.sqrt(area) / 400;
  const away = () => (random.fraction() - 0.5) * reach;
  return [rounded(latitude + away(), 5), rounded(longitude + away(), 5)];
}

const date = (random: Random, from: number, to: number) =>
  `${random.whole(from, to)}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))}`;

const dateTime = (random: Random, from: number, to: number) =>
  `${date(random, from, to)} ${two(random.whole(0, 23))}:${two(random.whole(0, 59))}:${two(random.whole(0, 59))}`;

const laterDay = (from: string, days: number) =>
  new Date(Date.parse(`${from.slice(0, 10)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** A picture of three stripes and 3 by 3 pixels, as a bitmap of 24 bits a pixel. */
function stripes(random: Random): Uint8Array {
  const image = Buffer.alloc(54 + 3 * 12);
  image.write('BM');
  image.writeUInt32LE(image.length, 2);
  image.writeUInt32LE(54, 10);
  image.writeUInt32LE(40, 14);
  image.writeInt32LE(3, 18);
  image.writeInt32LE(3, 22);
  image.writeUInt16LE(1, 26);
  image.writeUInt16LE(24, 28);
  for (let row = 0; row < 3; row++) {
    const colour = [random.whole(0, 255), random.whole(0, 255), random.whole(0, 255)];
    for (let column = 0; column < 3; column++) image.set(colour, 54 + row * 12 + column * 3);
  }
  return new Uint8Array(image);
}
