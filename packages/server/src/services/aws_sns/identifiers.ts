// Names of what SNS has: an ARN, or what of it stands behind the account, as lists answer it: `news`, `app/GCM/shop`.
import { fail } from '@sluice/contract';
import type { Sns } from './sns.ts';

export type Kind = 'topic' | 'subscription' | 'app' | 'endpoint';

const arn = /^arn:[a-z0-9-]+:sns:[a-z0-9-]+:\d{1,20}:/;

/** What stands behind the account. */
const forms: Record<Kind, RegExp> = {
  topic: /^[\w-]{1,256}(\.fifo)?$/,
  subscription: /^[\w-]{1,256}(\.fifo)?:[\w-]{1,100}$/,
  app: /^app\/[\w-]{1,100}\/[\w.-]{1,256}$/,
  endpoint: /^endpoint\/[\w-]{1,100}\/[\w.-]{1,256}\/[\w-]{1,100}$/,
};

/** An ARN without what is the same for all of the account. */
export const shortName = (identifier: string): string => identifier.replace(arn, '');

export interface Identifiers {
  /** The ARN of a name or an ARN. Throws `push.badIdentifier`, and `push.missing` where the account is not known. */
  arnOf(kind: Kind, identifier: unknown): Promise<string>;
  /** Remembers the account of an ARN that SNS answered. */
  note(identifier: string | undefined): void;
}

export function createIdentifiers(sns: Sns): Identifiers {
  let prefix: string | undefined;
  const note = (identifier: string | undefined): void => {
    prefix ??= arn.exec(identifier ?? '')?.[0];
  };

  /** The account has no name of its own: it shows in what there is. */
  async function findPrefix(name: string): Promise<string> {
    if (prefix === undefined) {
      const topics = await sns.call((client, { ListTopicsCommand }, options) =>
        client.send(new ListTopicsCommand({}), options),
      );
      note(topics.Topics?.[0]?.TopicArn);
    }
    if (prefix === undefined) {
      const apps = await sns.call((client, { ListPlatformApplicationsCommand }, options) =>
        client.send(new ListPlatformApplicationsCommand({}), options),
      );
      note(apps.PlatformApplications?.[0]?.PlatformApplicationArn);
    }
    if (prefix === undefined) throw fail('push.missing', { name });
    return prefix;
  }

  return {
    note,
    async arnOf(kind, identifier) {
      if (typeof identifier !== 'string' || identifier.length > 600) throw fail('push.badIdentifier', { kind });
      const name = shortName(identifier);
      if (!forms[kind].test(name)) throw fail('push.badIdentifier', { kind });
      return name === identifier ? `${await findPrefix(name)}${name}` : identifier;
    },
  };
}
