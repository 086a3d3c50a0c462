// A caller as they are noted for work that is done once their call is over: found again when it is done, so that what they may do
// then counts.
import { createHash } from 'node:crypto';
import { fail, type Requestor } from '@sluice/contract';
import type { Caller } from '../call/call.ts';
import type { Identity } from '../identity/index.ts';

/** A person and an app by id, and what tells whether the key of the app is still the same. */
export interface CallerNote {
  user?: number | undefined;
  app?: { id: number; key: string } | undefined;
  requestor: Requestor;
}

const keyHash = (key: string): string => createHash('sha256').update(key).digest('base64url');

export const noteOf = ({ user, app, requestor }: Caller): CallerNote => ({
  ...{ user: user?.id, requestor },
  app: app && { id: app.id, key: keyHash(app.apiKey) },
});

/** The caller as they are now. Throws `session.*` where the person or the app may not call any more. */
export async function findNotedCaller(
  { user, app, requestor }: CallerNote,
  { findCaller }: Pick<Identity, 'findCaller'>,
): Promise<Caller> {
  const caller = await findCaller(
    { ...(user === undefined ? {} : { userId: user }), ...(app ? { appId: app.id } : {}) },
    { requestor },
  );
  if (app && (!caller.app || keyHash(caller.app.apiKey) !== app.key)) throw fail('script.keyGone');
  return caller;
}
