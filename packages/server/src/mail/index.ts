// What every email service does: a type made of a folder's few facts and a function that opens a `MailTransport`
// (transport.ts). Nothing here knows a type; services/<type> says how its mails are sent.
import { type ConfigFields, type ConfigOf, fail, configField as field, type MaybePromise } from '@sluice/contract';
import { FairSlots, type Waiter } from '@sluice/sql';
import { ByteBudget } from '../call/byte-budget.ts';
import { TypedMap } from '../call/typed-map.ts';
import { routesOf } from '../service/operation.ts';
import {
  type Service,
  type ServiceContext,
  type ServiceType,
  serviceType,
  type TypeDefinition,
} from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import type { Store } from '../store/index.ts';
import { parseAddress } from './address.ts';
import { type MailService, type MailTools, mailSender, mailTools } from './mail-service.ts';
import { maxMultipart } from './parts.ts';
import { sendCall } from './send-call.ts';
import { maxConnections } from './smtp.ts';
import type { Mail, MailTransport } from './transport.ts';

interface Parameter extends Record<string, unknown> {
  name: string;
  value: string | null;
  active: boolean | null;
}

/** The last field of every email service. */
export const parameterField = {
  parameters: field.rows<Parameter>({
    label: 'Parameters',
    description: 'Values for placeholders, and for fields of an email that neither the call nor the template has.',
    unset: [],
    literal: true,
    items: [
      { name: 'name', label: 'Name', type: 'string', required: true },
      { name: 'value', label: 'Value', type: 'text' },
      { name: 'active', label: 'Active', type: 'boolean', default: true },
    ],
  }),
};

interface MailType<F extends ConfigFields>
  extends Pick<
    TypeDefinition<F, MailService>,
    'name' | 'label' | 'description' | 'tier' | 'config' | 'check' | 'address' | 'fixedDestination'
  > {
  /** Opens the transport; connects to nothing yet. */
  open(config: ConfigOf<F>, context: ServiceContext): MaybePromise<MailTransport>;
}

/** Milliseconds a mail waits for those before it. */
const waitTime = 30_000;

/** Mails that may wait for those that are being sent. */
const maxWaiting = 100;

const failures = {
  full: () => fail('mail.busy', undefined, { retryAfter: 5 }),
  ownFull: () => fail('mail.busyCaller', undefined, { retryAfter: 5 }),
  gone: () => fail('mail.gone'),
  late: () => fail('mail.busy', undefined, { retryAfter: 5 }),
};

const mailSlots = () =>
  new FairSlots<Waiter>({ total: maxConnections, maxWaiting, maxWaitingOfOne: maxWaiting / 2, failures });

/** Declares a type of email services. */
export const mailType = <F extends ConfigFields>({ open, ...facts }: MailType<F>): ServiceType<F> =>
  serviceType<F, MailService>({
    ...facts,
    group: 'Email',
    can: { mail: true },
    routes: mailRoutes(),
    async test(config, context) {
      const transport = await open(config, context);
      try {
        await transport.verify();
      } finally {
        await transport.close?.();
      }
    },
    async open(config, context) {
      const transport = await open(config, context);
      const sender = { parameters: parametersOf(config.parameters as Parameter[] | null | undefined), transport };
      return {
        ...{ ...sender, context, tools: context.require(mailTools), slots: mailSlots(), waitTime },
        provides: new TypedMap().set(mailSender, sender),
        close: async () => transport.close?.(),
      };
    },
  });

const parametersOf = (rows: Parameter[] | null | undefined): Record<string, unknown> =>
  Object.fromEntries((rows ?? []).filter(({ active }) => active ?? true).map(({ name, value }) => [name, value ?? '']));

/** One address that takes mails. The refusal of other verbs calls it `mail`, whatever the name of the service. */
const mailRoutes = () => [
  routesOf<MailService>()(
    '',
    {
      POST: {
        summary: 'Send an email',
        parameters: ['template', 'template_id', 'import_url'],
        body: 'object',
        streams: { limit: maxMultipart },
        answer: 'object',
        errors: [
          ...(['mail.noData', 'mail.noContent', 'mail.noSender', 'mail.badAddress', 'mail.badAttachment'] as const),
          ...(['mail.templateUnknown', 'mail.templateIdUnknown', 'mail.tooManyRecipients'] as const),
        ],
        handle: (call, _values, service) => sendCall(call, service),
      },
    },
    { refusal: (verb) => fail('http.verbNotSupported', { verb, path: '', service: 'mail' }, { allow: ['POST'] }) },
  ),
];

/** Bytes of attachments in memory, of all services; one caller gets half. */
const attachmentMemory = 64 * 1024 * 1024;

/** What the services of an instance share. Throws StartError for a default sender that is no address. */
export function createMailTools(store: Pick<Store, 'db'>, { mailFrom }: Pick<Settings, 'mailFrom'>): MailTools {
  try {
    if (mailFrom.trim() !== '') parseAddress(mailFrom);
  } catch {
    throw new StartError(`SLUICE_MAIL_FROM must be an address, a@b.c or Name <a@b.c>, not "${mailFrom}".`);
  }
  return {
    db: store.db,
    defaultSender: mailFrom,
    memory: new ByteBudget(attachmentMemory, attachmentMemory / 2, {
      ofShare: () => fail('mail.noMemory', undefined, { retryAfter: 5 }),
      ofAll: () => fail('mail.noMemory', undefined, { retryAfter: 5 }),
    }),
  };
}

/** Sends a mail of the platform itself by an open service, and answers how many recipients were accepted. */
export function sendMail(service: Service, mail: Mail): Promise<number> {
  const sender = service.provided(mailSender);
  if (!sender) throw new Error('the service sends no mail');
  return sender.transport.send(mail);
}

export type { Address } from './address.ts';
export { mailSender, mailTools } from './mail-service.ts';
export { createFiller, escapeHtml } from './placeholders.ts';
export { renderMail, renderTemplate } from './render.ts';
export { findTemplate, type Template, templateOf } from './templates.ts';
export type { Mail, MailTransport } from './transport.ts';
