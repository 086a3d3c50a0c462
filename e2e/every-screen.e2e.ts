// Every screen in its states: axe finds nothing on a desk, in a soak on a phone in the dark as well; nothing scrolls
// sideways on either.
import type { Page } from '@playwright/test';
import { soakCases } from '@sluice/testkit/soak';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, startInstance, test } from './instance.ts';
import { type SampleRecords, sampleRecords } from './records.ts';

/** Both widths and both schemes; the other two pairs of them found nothing new and took as long again. */
const desk = { width: 1440, height: 900, colorScheme: 'light' } as const;
const phone = { width: 390, height: 844, colorScheme: 'dark' } as const;
type Look = typeof desk | typeof phone;
const looks: readonly Look[] = [desk, phone];
/** The looks that axe reads all scenes in, which takes most of the time. */
const looksOfScenes = soakCases<Look>([desk], [phone]);

interface Scene {
  name: string;
  path: string | ((records: SampleRecords) => string);
  /** What is there when the scene stands. */
  shows(page: Page, instance: Instance, records: SampleRecords): Promise<void>;
}

const heading = (name: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('heading', { name }).first()).toBeVisible();
};
const says = (text: string | RegExp) => async (page: Page) => {
  await expect(page.getByRole('main').getByText(text).filter({ visible: true }).first()).toBeVisible();
};
/** Opens the first row of service access that begins like this. */
const opensRow = (name: RegExp, text: string | RegExp) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await says(text)(page);
};
/** Someone else saves the service that was opened, and changes what is changed here as well. */
const meetsAnother =
  (title: string, act: (page: Page) => Promise<void>) =>
  async (page: Page, instance: Instance, { service }: SampleRecords) => {
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('What can be sold at once, by shelf');
    const theirs = { description: `Counted anew each evening, ${Date.now()}` };
    expect((await instance.api('PATCH', `system/service/${service}`, theirs)).status).toBe(200);
    await act(page);
    await expect(page.getByRole('dialog', { name: title })).toContainText(theirs.description);
  };
/** Answers calls that match with an error of the server, until the page is left. */
const failing =
  (address: RegExp, status: number, message: string, then: (page: Page) => Promise<void>) => async (page: Page) => {
    const error = { code: status, context: null, message, status_code: status, request_id: 'req-1' };
    await page.route(address, (route) => route.fulfill({ status, json: { error } }));
    await page.reload();
    await then(page);
    await page.unroute(address);
  };

const scenes: Scene[] = [
  { name: 'home', path: '/home', shows: heading('This instance') },
  { name: 'launchpad', path: '/launchpad', shows: heading('LaunchPad') },
  { name: 'profile', path: '/profile', shows: heading('About you') },
  { name: 'services', path: '/services', shows: says('Local SQL Database') },
  { name: 'services, nothing matches', path: '/services?filter=nothinglikethis', shows: says(/Nothing matches/) },
  {
    name: 'services, failed',
    path: '/services',
    shows: failing(/system\/service\?/, 500, 'It broke.', says('It broke.')),
  },
  { name: 'service, new', path: '/services/create', shows: heading('Select Service Type') },
  {
    name: 'service, a new database that can not be reached',
    path: '/services/create',
    shows: async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^PostgreSQL / })
        .click();
      await page.getByRole('main').getByRole('link', { name: 'Config', exact: true }).click();
      await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1');
      await page.getByRole('textbox', { name: 'Port Number' }).fill('1');
      await page.getByRole('textbox', { name: 'Database' }).fill('shop');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await says('The connection could not be made.')(page);
    },
  },
  { name: 'service, info', path: '/services/5', shows: heading('General') },
  { name: 'service, config', path: '/services/5/config', shows: heading('Configuration') },
  { name: 'service, definition', path: '/services/5/definition', shows: heading('Service Definition') },
  {
    name: 'service, saved by someone else first',
    path: ({ service }) => `/services/${service}`,
    shows: meetsAnother('Someone else saved this first', async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
    }),
  },
  {
    name: 'service, changed by someone else before it is deleted',
    path: ({ service }) => `/services/${service}`,
    shows: meetsAnother('Someone else changed this first', async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    }),
  },
  { name: 'apps', path: '/apps', shows: says('Shop') },
  { name: 'app, new', path: '/apps/create', shows: heading('App Location') },
  { name: 'app', path: ({ app }) => `/apps/${app}`, shows: heading('A first call') },
  { name: 'app, lookup keys', path: ({ app }) => `/apps/${app}/lookups`, shows: heading('Lookup Keys') },
  { name: 'app, access', path: ({ app }) => `/apps/${app}/access`, shows: says(/^Choose a service to see/) },
  {
    name: 'app, access explained',
    path: ({ app }) => `/apps/${app}/access?path=world/_table/people`,
    shows: says('How it was decided'),
  },
  { name: 'admins', path: '/admins', shows: says('di@example.com') },
  { name: 'users', path: '/users', shows: says('cy@example.com') },
  {
    name: 'users, nothing matches',
    path: '/users?filter=nothinglikethis',
    shows: says(/You have no Users that match/),
  },
  {
    name: 'user, new, with mistakes',
    path: '/users/create',
    shows: async (page) => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await says('Please select email invite or set password.')(page);
    },
  },
  { name: 'user', path: ({ user }) => `/users/${user}`, shows: heading('How they sign in') },
  { name: 'user, roles', path: ({ user }) => `/users/${user}/roles`, shows: heading('Roles per app') },
  { name: 'user, lookup keys', path: ({ user }) => `/users/${user}/lookups`, shows: heading('Lookup Keys') },
  {
    name: 'user, access explained',
    path: ({ user }) => `/users/${user}/access?path=world/_table/people`,
    shows: says('How it was decided'),
  },
  { name: 'roles', path: '/roles', shows: says('Clerks') },
  { name: 'role, new', path: '/roles/create', shows: heading('Basic') },
  { name: 'role', path: ({ role }) => `/roles/${role}`, shows: heading('Basic') },
  { name: 'role, service access', path: ({ role }) => `/roles/${role}/access`, shows: says('4 rows') },
  {
    name: 'role, a row with filters',
    path: ({ role }) => `/roles/${role}/access`,
    shows: async (page) => {
      await opensRow(/people\/\*/, /only records where/)(page);
      await expect(page.getByRole('textbox', { name: 'Value, filter 1' })).toBeVisible();
    },
  },
  {
    name: 'role, a row that takes nothing away',
    path: ({ role }) => `/roles/${role}/access`,
    shows: opensRow(/_table\/\*/, /^May do nothing in every table of world/),
  },
  {
    name: 'role, lookup keys',
    path: ({ role }) => `/roles/${role}/lookups`,
    shows: says(/^No lookup keys for this role/),
  },
  {
    name: 'role, what it can do',
    path: ({ role }) => `/roles/${role}/explain?path=world/_table/people/7`,
    shows: says('How it was decided'),
  },
  {
    name: 'role, what it can not do',
    path: ({ role }) => `/roles/${role}/explain?verb=DELETE&path=world/_table/people/7`,
    shows: says(/^Refused with/),
  },
  {
    name: 'role, a row of service access',
    path: '/roles/create/access',
    shows: async (page) => {
      await page.getByRole('button', { name: 'Add a row' }).click();
      await says('May do nothing in every service, API only.')(page);
      // The list of services is open, which axe takes for a region nobody can scroll: arrow keys do.
      await page.keyboard.press('Escape');
      await expect(page.getByRole('listbox')).toBeHidden();
    },
  },
  { name: 'schema, choose a database', path: '/schema', shows: says(/Choose a database|Pick the service/) },
  { name: 'schema, an empty database', path: '/schema/db', shows: says('This database has no tables') },
  { name: 'schema, a table', path: '/schema/world/people', shows: says('birth_date') },
  {
    name: 'schema, a database out of reach',
    path: '/schema/world/people',
    shows: failing(/_schema\/people/, 503, 'The file is locked.', says('The file is locked.')),
  },
  { name: 'schema, a table as JSON', path: '/schema/world/people?view=json', shows: says('"primary_key"') },
  { name: 'schema, history', path: '/schema/world/people?view=history', shows: heading('History of people') },
  { name: 'schema, diagram', path: '/schema/world?view=diagram', shows: says('6 tables, 6 relations') },
  { name: 'schema, a new table', path: '/schema/world?make=table', shows: heading('New table') },
  { name: 'schema, tables from JSON', path: '/schema/world?make=upload', shows: heading('Upload JSON') },
  { name: 'schema, a table from data', path: '/schema/world?make=paste', shows: heading('Table from data') },
  { name: 'schema, a field', path: '/schema/world/people/field/email', shows: heading('Field email') },
  { name: 'schema, a new field', path: '/schema/world/people/field', shows: heading('New field') },
  { name: 'schema, a relation', path: '/schema/world/people/relation', shows: heading('New Virtual Relationship') },
  {
    name: 'schema, the question before a table is dropped',
    path: '/schema/world/order_items',
    shows: async (page) => {
      await page.getByRole('button', { name: 'Drop', exact: true }).click();
      await expect(page.getByRole('dialog')).toContainText('Are you sure you want to drop table order_items?');
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
    },
  },
  { name: 'data, choose a database', path: '/data', shows: says(/Choose a database|Pick the service/) },
  { name: 'data, an empty database', path: '/data/db', shows: says('This database has no tables') },
  { name: 'data, a table', path: '/data/world/people', shows: says('Zainab') },
  {
    name: 'data, nothing matches',
    path: '/data/world/people?filter=id%20%3C%200',
    shows: says('Nothing matches your filter'),
  },
  { name: 'data, a refused filter', path: '/data/world/people?filter=nope%20%3D%201', shows: says(/nope/) },
  {
    name: 'data, a database out of reach',
    path: '/data/world/people',
    shows: failing(/_table\/people/, 503, 'The file is locked.', says('The file is locked.')),
  },
  { name: 'data, a record', path: '/data/world/people/record?key=1', shows: heading('Edit People') },
  { name: 'data, a new record', path: '/data/world/people/new', shows: heading('Create People') },
  {
    name: 'files, an empty folder',
    path: '/home',
    shows: async (page, instance) => {
      await instance.api('POST', 'files/nothing/');
      await page.goto(`${instance.url}/file-manager/files?path=nothing/`);
      await expect(page.getByText('This folder is empty')).toBeVisible();
    },
  },
  {
    name: 'files, a folder that is not there',
    path: '/file-manager/files?path=nope/',
    shows: says("Folder 'nope/' does not exist in storage."),
  },
  {
    name: 'files, a text',
    path: '/home',
    shows: async (page, instance) => {
      const content = 'A note.';
      await instance.api('POST', 'files/', { resource: [{ type: 'file', name: 'a note.txt', content }] });
      await page.goto(`${instance.url}/file-manager/files?open=a%20note.txt`);
      await expect(page.getByRole('textbox', { name: 'Text of a note.txt' })).toContainText(content);
    },
  },
  { name: 'API docs', path: '/apidocs', shows: says('world') },
  { name: 'API docs, a service', path: '/apidocs/world', shows: says('/_table/countries') },
  { name: 'API docs, nothing matches', path: '/apidocs/world?search=nothinglikethis', shows: says(/^Nothing matches/) },
  { name: 'API docs, a call', path: '/apidocs/world/call/postWorldTableCountries', shows: heading('Try it') },
  { name: 'API docs, a schema', path: '/apidocs/world/schema/countries', shows: says('capital') },
  { name: 'config, system info', path: '/config/system-info', shows: says('Sluice Instance') },
  { name: 'config, cache', path: '/config/cache', shows: says('world') },
  { name: 'config, CORS', path: '/config/cors', shows: says('No host selected.') },
  { name: 'config, a new CORS entry', path: '/config/cors/create', shows: heading('Who may call what') },
  { name: 'config, e-mail templates', path: '/config/email-templates', shows: says('User Invite Default') },
  {
    name: 'config, an e-mail template',
    path: ({ template }) => `/config/email-templates/${template}`,
    shows: heading('Addresses'),
  },
  {
    name: 'config, an e-mail template as it will look',
    path: ({ template }) => `/config/email-templates/${template}`,
    shows: async (page) => {
      await page.getByRole('main').getByText('Preview', { exact: true }).click();
      await expect(page.frameLocator('iframe[sandbox]').locator('body')).not.toBeEmpty();
    },
  },
  { name: 'config, lookup keys', path: '/config/lookup-keys', shows: says('team_mail') },
  { name: 'config, a lookup key', path: ({ lookup }) => `/config/lookup-keys/${lookup}`, shows: heading('Key') },
  { name: 'audit', path: '/audit', shows: says('Clerks') },
  { name: 'audit, nothing matches', path: '/audit?text=nothinglikethis', shows: says(/^No entry matches/) },
  {
    name: 'audit, failed',
    path: '/audit',
    shows: failing(/system\/audit/, 500, 'It broke.', says('It broke.')),
  },
  { name: 'audit, an entry', path: ({ entry }) => `/audit/${entry}`, shows: heading(/^Changed role/) },
  { name: 'scripts, by event', path: '/scripts', shows: says('Local SQL Database') },
  {
    name: 'scripts, down to one',
    path: '/scripts/events/world/world._table.{table_name}/world._table.{table_name}.get.pre_process',
    shows: says('world._table.people.get.pre_process'),
  },
  { name: 'scripts, all of them', path: '/scripts/all', shows: says('world._table.cities.get') },
  {
    name: 'script, with a dry run',
    path: '/scripts/edit/world._table.cities.get',
    shows: async (page) => {
      await page.getByRole('button', { name: 'Try it' }).click();
      await says('The event, before and after')(page);
    },
  },
  {
    name: 'script, last runs',
    path: '/scripts/edit/world._table.cities.get?show=runs',
    shows: async (page) => {
      await page.getByRole('button', { name: 'Message and output' }).first().click();
      await says('seen')(page);
    },
  },
  { name: 'script, new', path: '/scripts/edit/world.get', shows: heading('Create Script') },
  { name: 'jobs', path: '/jobs', shows: says('Every hour at minute 37') },
  { name: 'jobs, nothing matches', path: '/jobs?filter=nothinglikethis', shows: says(/^No job matches/) },
  {
    name: 'jobs, failed',
    path: '/jobs',
    shows: failing(/system\/job/, 500, 'It broke.', says('It broke.')),
  },
];

const scenesOfAPart = 16;

/** All scenes, in parts that several workers can go through at once. */
const parts = Array.from({ length: Math.ceil(scenes.length / scenesOfAPart) }, (_, index) =>
  scenes.slice(index * scenesOfAPart, (index + 1) * scenesOfAPart),
);

const sidewaysOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function isFine(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name);
  expect([name, await sidewaysOf(page)]).toEqual([name, 0]);
}

/** The scene of a desk on a phone: it takes its new form after the window has its new size. */
async function fitsPhone(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? desk;
  await page.setViewportSize(phone);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect.poll(() => sidewaysOf(page), name).toBe(0);
  await page.setViewportSize({ width, height });
}

async function visit(page: Page, instance: Instance, { name, path, shows }: Scene): Promise<void> {
  const records = await sampleRecords(instance);
  await page.goto(instance.url + (typeof path === 'string' ? path : path(records)));
  await shows(page, instance, records);
  await isFine(page, name);
  await fitsPhone(page, name);
}

for (const look of looks) {
  const { width, height, colorScheme } = look;
  test.describe(`${width} px wide, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('the login page is fine', async ({ page, instance }) => {
      await page.goto(`${instance.url}/login`);
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
      await isFine(page, 'login');
    });

    for (const part of looksOfScenes.includes(look) ? parts : [])
      test(`every screen and state is fine, from ${part[0]?.name} to ${part.at(-1)?.name}`, async ({
        page,
        instance,
      }) => {
        test.setTimeout(180_000);
        await signIn(page, instance);
        for (const scene of part) await visit(page, instance, scene);
      });

    test('so are palette, menus, shortcuts and questions', async ({ page, instance }) => {
      await signIn(page, instance);
      await page.goto(`${instance.url}/services`);
      await says('Local SQL Database')(page);
      await page.keyboard.press('Control+k');
      await expect(
        page.getByRole('dialog').getByRole('combobox').or(page.getByRole('dialog').getByRole('textbox')).first(),
      ).toBeFocused();
      await isFine(page, 'palette');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await isFine(page, 'shortcuts');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Account of/ }).click();
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
      await isFine(page, 'user menu');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions for Local SQL Database' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('dialog')).toContainText('Delete Local SQL Database?');
      await isFine(page, 'question');
      await page.keyboard.press('Escape');
    });
  });
}

test('the set-up page is fine at every width and scheme', async ({ page }) => {
  const instance = await startInstance();
  try {
    for (const { width, height, colorScheme } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${instance.url}/setup`);
      await expect(page.getByLabel('One-time code')).toBeVisible();
      await isFine(page, `set-up at ${width} px, ${colorScheme}`);
    }
  } finally {
    await instance.stop();
  }
});
