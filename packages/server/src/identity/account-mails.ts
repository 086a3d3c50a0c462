// Mails about accounts: invitations, confirmations of registrations, links to a new password. They are jobs: what configuration
// lacks fails the call that asks for one, what a transport refuses is tried again (contract/sessions-and-accounts.md §6).
import { fail } from '@sluice/contract';
import type { Lookup } from '../access/lookups.ts';
import { nameInModifier } from '../access/modifiers.ts';
import { createJobKind, type Jobs } from '../jobs/index.ts';
import { findTemplate, type Mail, renderTemplate, sendMail, templateOf } from '../mail/index.ts';
import type { Services } from '../service/registry.ts';
import { ownAddress, type Settings } from '../settings/index.ts';
import { contractVersion, sluiceVersion } from '../settings/version.ts';
import type { Db, Store } from '../store/index.ts';
import { seededSender } from '../store/seed.ts';
import { storedCode } from './codes.ts';
import type { UserRow } from './directory.ts';
import type { AccountKind } from './sign-in.ts';

export type MailPurpose = 'invite' | 'register' | 'reset';

/** What configuration lacks for mails of a purpose. */
export type MailGap = 'service' | 'template' | 'text' | 'sender';

/** What a call that cannot be followed by its mail answers (contract/sessions-and-accounts.md §7). */
export const gapReasons: Record<MailGap, string> = {
  service: 'No email service configured for user invite.',
  template: 'No default email template for user invite.',
  text: 'No data found in default email template for user invite.',
  sender: 'Neither SLUICE_MAIL_FROM nor the template names a sender.',
};

interface AccountMail {
  purpose: MailPurpose;
  user: number;
  code: string;
  /** The name of the app that somebody registered with. */
  app?: string | undefined;
}

/** A mail as it would go out, with the values of the person who looks at it. */
export interface SampleMail {
  mail: Mail;
  /** Names in braces that have no value. */
  unfilled: string[];
}

export interface AccountMails {
  /** The mail of a template that need not be stored, for one person with values of an invitation. Throws as sending would. */
  sample(template: Record<string, unknown>, userId: number, lookup: Lookup): Promise<SampleMail>;
  /** Sends a mail at once by the service that sends invitations. Throws `mail.noService`, or the words of the transport. */
  send(mail: Mail): Promise<void>;
  findGap(purpose: MailPurpose, kind: AccountKind): Promise<MailGap | undefined>;
  /** Has a mail sent with a code that the person has now; in the transaction that gives it to them. */
  queue(mail: AccountMail, db: Db): Promise<void>;
}

type MailSettings = Pick<
  Settings,
  'confirmInviteUrl' | 'confirmRegisterUrl' | 'confirmResetUrl' | 'host' | 'mailFrom' | 'port' | 'publicUrl'
>;

interface AccountMailParts {
  store: Store;
  jobs: Jobs;
  services: () => Pick<Services, 'openById' | 'rows'>;
  settings: MailSettings;
}

const accountMail = createJobKind<AccountMail>('account mail');

/** The key of the job with a person's mail: a new one takes the place of one that still waits. */
export const accountMailKey = (userId: number): string => `account mail ${userId}`;

/** Beginning of the fields that configure the mails of a purpose. */
const fieldPrefixes = { invite: 'invite', register: 'open_reg', reset: 'password' } as const;

export function createAccountMails({ store, jobs, services, settings }: AccountMailParts): AccountMails {
  /** The mail service and the template that are configured; null where none is. */
  async function readConfig(purpose: MailPurpose, kind: AccountKind) {
    const type = kind === 'admin' ? 'system' : 'user';
    const row = (await services().rows()).find((service) => service.type === type);
    const idOf = (field: string) => {
      const id = row?.config[`${fieldPrefixes[purpose]}_email_${field}_id`];
      return typeof id === 'number' ? id : null;
    };
    return { serviceId: idOf('service'), templateId: idOf('template') };
  }

  async function findGap(purpose: MailPurpose, kind: AccountKind): Promise<MailGap | undefined> {
    const { serviceId, templateId } = await readConfig(purpose, kind);
    const service = (await services().rows()).find((row) => row.id === serviceId);
    if (!service?.isActive) return 'service';
    if (templateId === null) return 'template';
    const template = await findTemplate(store.db, { id: String(templateId) }).catch(() => undefined);
    if (!template) return 'template';
    const { body_html, body_text, from_email } = { ...template.fields, ...template.defaults };
    if (!body_html && !body_text) return 'text';
    return from_email || settings.mailFrom ? undefined : 'sender';
  }

  jobs.handle(accountMail, async ({ purpose, user, code, app }) => {
    const row = await store.db.selectFrom('user').selectAll().where('id', '=', user).executeTakeFirst();
    // The person is gone, has used the code or got another one.
    if (row?.confirm_code !== storedCode(code)) return;
    // As it is configured now: it may have been mended since the job was made.
    const { serviceId, templateId } = await readConfig(purpose, row.is_sys_admin === 1 ? 'admin' : 'user');
    if (serviceId === null || templateId === null)
      throw new Error('No email service or template is configured for it.');
    const { fields, defaults } = await findTemplate(store.db, { id: String(templateId) });
    const values = { ...defaults, ...valuesOf(purpose, row, code, app, settings) };
    const known = new Map(Object.entries(platformValues(settings)));
    const mail = renderAccountMail(fields, values, (name) => known.get(name), settings);
    await sendMail(await services().openById(serviceId), mail);
  });

  return {
    findGap,
    async sample(template, userId, lookup) {
      const row = await store.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
      const { fields, defaults } = templateOf(template);
      const known = new Map(Object.entries(platformValues(settings)));
      const values = { ...defaults, ...valuesOf('invite', row, sampleCode, undefined, settings) };
      const unfilled = new Set<string>();
      const names = new Set([...Object.keys(fields), ...Object.keys(values)]);
      const lookUp: Lookup = (name) => {
        const value = known.get(name) ?? lookup(name);
        if (value === undefined && !names.has(nameInModifier(name)) && /^[\w.()]+$/.test(name)) unfilled.add(name);
        return value;
      };
      const mail = renderAccountMail(fields, values, lookUp, settings);
      // Inside a modifier a name is asked for twice.
      return { mail, unfilled: [...unfilled].filter((name) => nameInModifier(name) === name) };
    },
    async send(mail) {
      const { serviceId } = await readConfig('invite', 'admin');
      if (serviceId === null) throw fail('mail.noService');
      await sendMail(await services().openById(serviceId), mail);
    },
    queue: (mail, db) => jobs.add(accountMail, mail, { db, uniqueKey: accountMailKey(mail.user), replaces: true }),
  };
}

/** Stands where a mail has the code of a person. */
const sampleCode = 'SAMPLE-CODE';

/** A mail to nobody but the person: it may hold their code. */
function renderAccountMail(
  fields: Record<string, unknown>,
  values: Record<string, unknown>,
  lookUp: Lookup,
  { mailFrom }: Pick<MailSettings, 'mailFrom'>,
): Mail {
  const sender = fields.from_email === seededSender && mailFrom ? { from_email: null, from_name: null } : {};
  const template = { ...fields, ...sender, to: null, cc: null, bcc: null };
  return renderTemplate(template, values, { lookUp, defaultSender: mailFrom });
}

function valuesOf(
  purpose: MailPurpose,
  row: UserRow,
  code: string,
  app: string | undefined,
  settings: MailSettings,
): Record<string, unknown> {
  return {
    ...{ to: row.email, first_name: row.first_name ?? row.name, last_name: row.last_name ?? '', name: row.name },
    ...{ display_name: row.name, email: row.email, phone: row.phone ?? '', username: row.username },
    ...{ confirm_code: code, link: linkOf(purpose, row, code, settings) },
    ...{ content_header: '', app_name: app ?? productName, instance_name: productName },
  };
}

const productName = 'Sluice';

/** `{df.…}` in templates of older servers. */
const platformValues = (settings: MailSettings): Record<string, string> => ({
  'df.host_url': ownAddress(settings),
  'df.name': productName,
  'df.version': sluiceVersion,
  'df.api_version': contractVersion,
  'df.confirm_invite_url': absolute(settings.confirmInviteUrl, settings),
  'df.confirm_register_url': absolute(settings.confirmRegisterUrl, settings),
  'df.confirm_reset_url': absolute(settings.confirmResetUrl, settings),
});

function linkOf(purpose: MailPurpose, row: UserRow, code: string, settings: MailSettings): string {
  const pages = {
    invite: settings.confirmInviteUrl,
    register: settings.confirmRegisterUrl,
    reset: settings.confirmResetUrl,
  };
  const address = absolute(pages[purpose], settings);
  const query = new URLSearchParams({ code, email: row.email, username: row.username });
  if (purpose !== 'register') query.set('admin', row.is_sys_admin === 1 ? '1' : '');
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** Never by the host that a request names: a caller who sends one could lead the codes of others elsewhere. */
const absolute = (page: string, settings: MailSettings): string =>
  /^https?:\/\//i.test(page) ? page : `${ownAddress(settings)}/${page.replace(/^\/+/, '')}`;
