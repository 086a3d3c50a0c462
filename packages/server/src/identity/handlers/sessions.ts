// `user/_sessions`, and `_sessions` below a person of `system/user` and `system/admin`: where somebody is signed in, and how that
// is ended (contract/sessions-and-accounts.md §13).
import { fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { parseNumericId } from '../../records/rows.ts';
import type { AccountKind, Identity } from '../index.ts';

type ListIdentity = Pick<Identity, 'listSessions' | 'endSession' | 'endSessions' | 'directory'>;

/** What the calls on sessions do, of the caller or of a person by id. */
export const sessionCalls = (identity: ListIdentity) => ({
  async list(call: Call, userId: number): Promise<Reply> {
    return answer({ resource: await identity.listSessions(userId, call) });
  },

  async end(call: Call, userId: number, rawId: string): Promise<Reply> {
    const id = parseNumericId(rawId);
    if (id === undefined) throw fail('record.notFound', { id: rawId });
    await identity.endSession(userId, id, call);
    return answer({ id });
  },

  /** All of them; who ends their own goes on with the token of the answer. */
  async endAll(call: Call, userId: number): Promise<Reply> {
    const token = await identity.endSessions(userId, call);
    return answer({ success: true, ...(token === undefined ? {} : { session_token: token }) });
  },

  /** The person who calls. */
  ownId({ caller }: Call): number {
    if (!caller.user) throw fail('session.none');
    return caller.user.id;
  },

  /** A person by id, of the kind of the address. Only administrators end the sessions of administrators. */
  async personId(call: Call, kind: AccountKind, rawId: string): Promise<number> {
    if (kind === 'admin' && call.verb === 'DELETE' && !call.caller.user?.isAdmin) throw fail('person.adminsOnly');
    const id = parseNumericId(rawId);
    const person = id === undefined ? undefined : await identity.directory.person(id);
    if (!person || person.user.isAdmin !== (kind === 'admin')) throw fail('record.notFound', { id: rawId });
    return person.user.id;
  },
});

export type SessionCalls = ReturnType<typeof sessionCalls>;
