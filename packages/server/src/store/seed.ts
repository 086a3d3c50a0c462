// What a fresh instance holds. Seeded rows keep their ids for ever (docs/design.md "Running it"); new rows come after.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Settings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import type { Db, Store } from './index.ts';
import type { Tables } from './tables.ts';

/** A new API key: 64 lower-case hex digits. */
export const newApiKey = (): string => randomBytes(32).toString('hex');

interface SeededService {
  id: number;
  name: string;
  label: string;
  description: string;
  type: string;
  isMutable: boolean;
  isDeletable: boolean;
  config: Record<string, unknown>;
}

/** In the order of contract/system-resources.md §5. */
const services: SeededService[] = [
  {
    id: 1,
    name: 'system',
    label: 'System Management',
    description: 'Service for managing system resources.',
    type: 'system',
    isMutable: false,
    isDeletable: false,
    config: {},
  },
  {
    id: 2,
    name: 'api_docs',
    label: 'Live API Docs',
    description: 'Documents of what the services of this instance offer, as OpenAPI.',
    type: 'swagger',
    isMutable: false,
    isDeletable: false,
    config: {},
  },
  {
    id: 3,
    name: 'files',
    label: 'Local File Storage',
    description: 'Service for accessing local file storage.',
    type: 'local_file',
    isMutable: true,
    isDeletable: true,
    config: { container: 'app' },
  },
  {
    id: 4,
    name: 'logs',
    label: 'Local Log Storage',
    description: 'Service for accessing local log storage.',
    type: 'local_file',
    isMutable: true,
    isDeletable: true,
    config: { container: 'logs' },
  },
  {
    id: 5,
    name: 'db',
    label: 'Local SQL Database',
    description: 'Service for accessing local SQLite database.',
    type: 'sqlite',
    isMutable: true,
    isDeletable: true,
    config: { database: 'db.sqlite' },
  },
  {
    id: 6,
    name: 'email',
    label: 'Local Email Service',
    description: 'Service for sending emails by a program of this machine.',
    type: 'local_email',
    isMutable: true,
    isDeletable: true,
    config: {},
  },
  {
    id: 7,
    name: 'user',
    label: 'User Management',
    description: 'Service for managing system users.',
    type: 'user',
    isMutable: true,
    isDeletable: false,
    config: {},
  },
];

/** The braces are filled with the recipient and the reason (contract/sessions-and-accounts.md §6). */
const templates = [
  {
    name: 'User Invite Default',
    description: 'Email sent to invite new users to your instance.',
    subject: 'Invitation to {app_name}',
    body_html: mailBody('you have been invited to {app_name}', 'Set a password and start'),
  },
  {
    name: 'User Registration Default',
    description: 'Email sent to new users to complete registration.',
    subject: 'Confirm your registration with {app_name}',
    body_html: mailBody('thank you for registering with {app_name}', 'Confirm your address'),
  },
  {
    name: 'Password Reset Default',
    description: 'Email sent to users following a password reset request.',
    subject: 'A new password',
    body_html: mailBody('somebody, probably you, asked for a new password', 'Set a new password'),
  },
];

/** Stands in the seeded templates until somebody writes another; SLUICE_MAIL_FROM goes before it. */
export const seededSender = 'no-reply@example.com';

/** The templates, by id, that the seeded services send, and by what (contract/system-resources.md §5). */
const templateLinks = {
  1: { invite_email_template_id: 1, password_email_template_id: 3 },
  7: { invite_email_template_id: 1, open_reg_email_template_id: 2, password_email_template_id: 3 },
};
const mailLinks = {
  1: { invite_email_service_id: 6, password_email_service_id: 6 },
  7: { invite_email_service_id: 6, open_reg_email_service_id: 6, password_email_service_id: 6 },
};

function mailBody(reason: string, action: string): string {
  return [
    '<p>Hello {first_name},</p>',
    `<p>${reason}.</p>`,
    `<p><a href="{link}">${action}</a></p>`,
    '<p>If the link does not open, use the code {confirm_code}.</p>',
  ].join('\n');
}

/** Ids up to these are reserved for seeds, those of later versions included. */
const lastSeeded = { service: 7, app: 3, email_template: 3 } as const;

/**
 * Adds missing seeds and applies SLUICE_ADMIN_APP_KEY. Runs at every start. A seed that someone deleted
 * stays deleted: the table `instance` remembers which were planted.
 * @throws StartError when SLUICE_ADMIN_APP_KEY is no usable key
 */
export async function seed(store: Store, settings: Pick<Settings, 'adminAppKey'>): Promise<void> {
  const key = settings.adminAppKey;
  if (key !== '' && !/^[A-Za-z0-9]{64,255}$/.test(key)) {
    throw new StartError('SLUICE_ADMIN_APP_KEY must be 64 to 255 letters and digits.');
  }
  await store.exclusively(async (db) => {
    for (const service of services) await plantService(db, service);
    await plantSeed(db, 'app', 1, {
      ...appRow,
      name: 'admin',
      api_key: key || newApiKey(),
      description: 'An application for administering this instance.',
      path: '',
    });
    for (const app of consoleApps) await plantConsoleApp(db, app);
    for (const [index, template] of templates.entries())
      await plantSeed(db, 'email_template', index + 1, {
        ...template,
        from_name: 'Sluice',
        from_email: seededSender,
      });
    for (const [id, links] of Object.entries(templateLinks)) await link(db, Number(id), links, 'email_template');
    for (const [id, links] of Object.entries(mailLinks)) await link(db, Number(id), links, 'service');
    if (key !== '') await applyAppKey(db, key);
    for (const [table, last] of Object.entries(lastSeeded)) await reserveIds(store, db, table as SeededTable, last);
  });
}

/** An app whose pages the console has. */
const appRow = {
  is_active: 1,
  type: 3,
  requires_fullscreen: 0,
  allow_fullscreen_toggle: 1,
  toggle_location: 'top',
};

/** Apps of pages beside the console's own, which older clients open by their addresses. */
const consoleApps = [
  {
    id: 2,
    name: 'api_docs',
    description: 'An application for reading what the services of this instance offer.',
    path: 'df-api-docs-ui/dist/index.html?admin_app=1',
  },
  {
    id: 3,
    name: 'file_manager',
    description: 'An application for managing file services.',
    path: 'filemanager/index.html?path=/&allowroot=true',
  },
];

/** A store from before may have an app of that name or that id: it stays, and there is no second one. */
async function plantConsoleApp(db: Db, { id, name, ...texts }: (typeof consoleApps)[number]): Promise<void> {
  const apps = await db.selectFrom('app').select(['id', 'name']).execute();
  if (apps.some((app) => app.id === id || app.name.toLowerCase() === name)) return;
  await plantSeed(db, 'app', id, {
    ...appRow,
    name,
    api_key: newApiKey(),
    ...texts,
  });
}

/** A store from before may have a service of that name already, of any type: it stays, and there is no second one. */
async function plantService(db: Db, service: SeededService): Promise<void> {
  const others = await db.selectFrom('service').select('name').where('id', '!=', service.id).execute();
  if (others.some(({ name }) => name.toLowerCase() === service.name)) return;
  await plantSeed(db, 'service', service.id, serviceRow(service));
}

function serviceRow({ isMutable, isDeletable, config, id: _id, ...texts }: SeededService): Record<string, unknown> {
  return {
    ...texts,
    is_active: 1,
    mutable: Number(isMutable),
    deletable: Number(isDeletable),
    config: JSON.stringify(config),
  };
}

type SeededTable = keyof typeof lastSeeded;

async function plantSeed(db: Db, table: SeededTable, id: number, row: Record<string, unknown>): Promise<void> {
  const fact = `seed.${table}.${id}`;
  const planted = await db.selectFrom('instance').select('name').where('name', '=', fact).executeTakeFirst();
  if (planted) return;
  const now = new Date().toISOString();
  const values = { id, ...row, created_date: now, last_modified_date: now };
  await db
    .insertInto(table)
    .values(values as never)
    .execute();
  await db.insertInto('instance').values({ name: fact, value: now }).execute();
}

/** Enters templates or the mail service in the configuration of a service, once: where none is chosen and it still exists. */
async function link(
  db: Db,
  id: number,
  links: Record<string, number>,
  to: 'email_template' | 'service',
): Promise<void> {
  const fact = `seed.service.${id}.${to === 'service' ? 'mail' : 'templates'}`;
  const linked = await db.selectFrom('instance').select('name').where('name', '=', fact).executeTakeFirst();
  if (linked) return;
  const service = await db.selectFrom('service').select('config').where('id', '=', id).executeTakeFirst();
  const existing =
    to === 'service'
      ? await db.selectFrom('service').select('id').where('type', '=', 'local_email').execute()
      : await db.selectFrom('email_template').select('id').execute();
  if (service) {
    const usable = Object.entries(links).filter(([, target]) => existing.some((row) => row.id === target));
    const config = JSON.stringify({ ...Object.fromEntries(usable), ...JSON.parse(service.config) });
    const change = { config, version: sql<number>`version + 1` };
    await db.updateTable('service').set(change).where('id', '=', id).execute();
  }
  await db.insertInto('instance').values({ name: fact, value: new Date().toISOString() }).execute();
}

async function applyAppKey(db: Db, key: string): Promise<void> {
  const taken = await db
    .selectFrom('app')
    .select('id')
    .where('api_key', '=', key)
    .where('id', '!=', 1)
    .executeTakeFirst();
  if (taken) throw new StartError(`SLUICE_ADMIN_APP_KEY is the key of another app already (id ${taken.id}).`);
  await db.updateTable('app').set({ api_key: key }).where('id', '=', 1).where('api_key', '!=', key).execute();
}

/** Moves a table's key counter past the seeds by inserting and deleting a row: the counter never falls back. */
async function reserveIds(store: Store, db: Db, table: SeededTable, last: number): Promise<void> {
  const fact = `seed.${table}.ids`;
  const isDone = await db.selectFrom('instance').select('name').where('name', '=', fact).executeTakeFirst();
  if (isDone) return;
  const unused: Record<SeededTable, Partial<Tables[SeededTable]>> = {
    service: { label: '', type: '', config: '{}' },
    app: { api_key: fact },
    email_template: {},
  };
  const highest = await db
    .selectFrom(table)
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  if (Number(highest?.id ?? 0) < last) {
    const id = last as never;
    await db
      .insertInto(table)
      .values({ id, name: fact, ...unused[table] } as never)
      .execute();
    await db.deleteFrom(table).where('id', '=', id).execute();
  }
  await store.moveCounter(db, table, last);
  await db
    .insertInto('instance')
    .values({ name: fact, value: String(last) })
    .execute();
}
