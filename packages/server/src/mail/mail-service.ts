// What a mail service is made of while it is open, and what it needs of the instance.
import type { FairSlots, Waiter } from '@sluice/sql';
import type { ByteBudget } from '../call/byte-budget.ts';
import { createKey } from '../call/typed-map.ts';
import type { OpenService, ServiceContext } from '../service/service.ts';
import type { Db } from '../store/index.ts';
import type { MailTransport } from './transport.ts';

/** What services that send mail require of the instance. */
export interface MailTools {
  db: Db;
  /** The sender of mails that name none; empty for none. */
  defaultSender: string;
  /** The attachments in memory, of all services. */
  memory: ByteBudget;
}

export const mailTools = createKey<MailTools>('what the instance has for mails');

/** What a service that sends mail provides for the instance itself. */
export interface MailSender {
  /** Values of placeholders that the service has, and its sender. */
  parameters: Record<string, unknown>;
  transport: MailTransport;
}

export const mailSender = createKey<MailSender>('what sends the mails of the service');

export interface MailService extends MailSender, OpenService {
  context: ServiceContext;
  tools: MailTools;
  /** How many mails are sent at once; others wait. */
  slots: FairSlots<Waiter>;
  /** Milliseconds a mail waits. */
  waitTime: number;
}
