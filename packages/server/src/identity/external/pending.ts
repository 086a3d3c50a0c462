// Sign-ins that are under way at a provider. They are in the store, so that any process can complete them; each once, within
// three minutes, and only from the browser that began it: a link to somebody else's sign-in signs nobody in.
import { createHash, randomBytes } from 'node:crypto';
import { fail } from '@sluice/contract';
import type { Call } from '../../call/call.ts';
import { networkOf } from '../../call/caller-key.ts';
import type { Store } from '../../store/index.ts';
import type { Secrets } from '../keys.ts';
import type { BrowserProof } from './provider.ts';

export type PendingCall = Pick<Call, 'header' | 'replyHeaders' | 'baseUrl' | 'ip'>;

/** Seconds in which a sign-in has to be completed. */
const lifetime = 180;
/** Sign-ins under way from one network address, and in all. */
const maxOfNetwork = 200;
const maxOfAll = 50_000;

export interface PendingSignIns {
  /** Begins one, and gives the browser the cookie it is known by. */
  add(serviceId: number, call: PendingCall): Promise<BrowserProof>;
  /** The sign-in of a state, which ends; undefined where it is over, unknown or of another browser. */
  take(state: string, call: PendingCall): Promise<{ serviceId: number; proof: BrowserProof } | undefined>;
  /** Whether the sign-in of a state is under way by a service, in whatever browser. */
  isOpen(state: string, serviceId: number): Promise<boolean>;
  /**
   * Notes what the provider confirmed of a sign-in, and answers the state that it goes by from then on, in the same browser and
   * the same time; undefined where it is over.
   */
  confirm(state: string, confirmed: unknown): Promise<string | undefined>;
  /** Ends the sign-in of a state. Its place stays taken for its time: so many tries has a network. */
  end(state: string): Promise<void>;
}

/** Whether a call comes with the cookie of a browser that began a sign-in. */
export const isOfBrowser = (call: PendingCall): boolean => cookieOf(call) !== undefined;

export function createPendingSignIns({ db }: Pick<Store, 'db'>, secrets: Secrets): PendingSignIns {
  const count = async (network?: string) => {
    const query = db.selectFrom('pending_sign_in').select(({ fn }) => fn.countAll().as('count'));
    const row = await (network ? query.where('network', '=', network) : query).executeTakeFirstOrThrow();
    return Number(row.count);
  };

  const findOpen = (state: string) =>
    db
      .selectFrom('pending_sign_in')
      .selectAll()
      .where('state', '=', hash(state))
      .where('expires_at', '>=', new Date().toISOString());

  return {
    async add(serviceId, call) {
      const now = new Date();
      await db.deleteFrom('pending_sign_in').where('expires_at', '<', now.toISOString()).execute();
      const network = hash(networkOf(call.ip));
      if ((await count(network)) >= maxOfNetwork || (await count()) >= maxOfAll)
        throw fail('session.tooMany', undefined, { retryAfter: lifetime });
      const browser = cookieOf(call) ?? randomText(32);
      const proof = { state: randomState(), verifier: randomText(48), nonce: randomText(24) };
      const row = {
        state: hash(proof.state),
        service_id: serviceId,
        browser: hash(browser),
        network,
        proof: secrets.encrypt(JSON.stringify(proof)),
        expires_at: new Date(now.getTime() + lifetime * 1000).toISOString(),
      };
      await db.insertInto('pending_sign_in').values(row).execute();
      call.replyHeaders.set('set-cookie', setCookie(call, browser));
      return proof;
    },

    async take(state, call) {
      const browser = cookieOf(call);
      if (browser === undefined || state.length > 200) return undefined;
      const query = db.selectFrom('pending_sign_in').selectAll().where('state', '=', hash(state));
      const row = await query.where('browser', '=', hash(browser)).executeTakeFirst();
      if (!row) return undefined;
      // Of two calls that complete it at once one deletes it.
      const { numDeletedRows } = await db
        .deleteFrom('pending_sign_in')
        .where('state', '=', row.state)
        .executeTakeFirstOrThrow();
      if (numDeletedRows !== 1n || row.expires_at < new Date().toISOString()) return undefined;
      return { serviceId: row.service_id, proof: JSON.parse(secrets.decrypt(row.proof)) as BrowserProof };
    },

    async isOpen(state, serviceId) {
      return (await findOpen(state).where('service_id', '=', serviceId).executeTakeFirst()) !== undefined;
    },

    async confirm(state, confirmed) {
      const row = await findOpen(state).executeTakeFirst();
      if (!row) return undefined;
      const next: BrowserProof = {
        ...(JSON.parse(secrets.decrypt(row.proof)) as BrowserProof),
        state: randomState(),
        confirmed,
      };
      // Of two calls that confirm it at once one finds it.
      const { numUpdatedRows } = await db
        .updateTable('pending_sign_in')
        .set({ state: hash(next.state), proof: secrets.encrypt(JSON.stringify(next)) })
        .where('state', '=', row.state)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n ? next.state : undefined;
    },

    async end(state) {
      const nobodys = hash(randomState());
      await db.updateTable('pending_sign_in').set({ state: nobodys }).where('state', '=', hash(state)).execute();
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');
/** 40 characters, as clients of older servers expect. */
const randomState = (): string => randomText(30);

/** Where browsers allow it, a name that no other site of the domain can set. */
const cookieName = ({ baseUrl }: PendingCall): string =>
  baseUrl.startsWith('https:') ? '__Host-sluice-sign-in' : 'sluice-sign-in';

/** What tells browsers apart; it is the same for all sign-ins that one has under way. */
function cookieOf(call: PendingCall): string | undefined {
  const name = `${cookieName(call)}=`;
  const pair = (call.header('cookie') ?? '').split(/; */).find((text) => text.startsWith(name));
  const value = pair?.slice(name.length);
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

const setCookie = (call: PendingCall, value: string): string => {
  const secure = call.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(call)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime}${secure}`;
};
