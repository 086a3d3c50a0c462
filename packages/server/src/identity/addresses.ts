// Addresses of people: as they are stored from now on, and which of them look alike (contract/sessions-and-accounts.md §8).
import type { RecordInput } from '../call/payload.ts';
import type { Messages } from '../resource/fields.ts';
import type { StoredRow } from '../resource/resource.ts';
import { type Db, folded, skeletonsLike } from '../store/index.ts';

/** Of an administrator's new address; it does not say whose it looks like. */
export const looksLikeAnother = 'The email looks like the address of another person.';

/** More characters than any address has; a longer text is refused as it is, without being worked on. */
const longest = 1_000;

/** An address as it is stored: characters that are the same to people are the same here. */
export const toAddress = (text: string): string => (text.length > longest ? text : text.normalize('NFKC'));

/** Puts a new address among `values` into the form it is stored in. One that is stored already stays as it is. */
export function takeAddress(values: RecordInput, stored: unknown): void {
  const { email } = values;
  if (typeof email !== 'string') return;
  if (email === stored) delete values.email;
  else values.email = toAddress(email);
}

/** Somebody else whose address looks like this one. */
export async function findLookAlike(db: Db, address: string, id: unknown): Promise<string | undefined> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email_skeleton', 'in', skeletonsLike(address))
    // The same address in another case is taken, which is another refusal.
    .where('email_folded', '!=', folded(address))
    .orderBy('id')
    // One of them may be that person.
    .limit(2)
    .execute();
  return rows.find((row) => row.id !== Number(id))?.email;
}

/** Adds what is wrong with an administrator's new address when it looks like somebody else's. */
export async function refuseLookAlike(db: Db, email: unknown, id: number | undefined, problems: Messages) {
  if (typeof email !== 'string' || problems.email) return;
  if (await findLookAlike(db, email, id)) problems.email = [looksLikeAnother];
}

/** What the audit is told of a new address that looks like somebody else's. */
export async function resemblance(
  db: Db,
  row: StoredRow,
  before: StoredRow | undefined,
): Promise<{ resembles?: string }> {
  if (row.email === before?.email) return {};
  const resembles = await findLookAlike(db, String(row.email), row.id);
  return resembles === undefined ? {} : { resembles };
}

/** Values of one IN list. */
const chunk = 5_000;

/** By id, whose address that of each person looks like; of several, one. */
export async function resembledBy(db: Db, people: StoredRow[], withAdmins: boolean): Promise<Map<unknown, string>> {
  const marks = new Map(people.map((row) => [row.id, skeletonsLike(String(row.email))]));
  const all = [...new Set([...marks.values()].flat())];
  const groups = new Map<string, { first: number; last: number }>();
  for (let at = 0; at < all.length; at += chunk) {
    const alike = db
      .selectFrom('user')
      .select(({ fn }) => ['email_skeleton as mark', fn.min('id').as('first'), fn.max('id').as('last')])
      .where('email_skeleton', 'in', all.slice(at, at + chunk))
      .$if(!withAdmins, (query) => query.where('is_sys_admin', '=', 0))
      .groupBy('email_skeleton');
    for (const { mark, first, last } of await alike.execute())
      groups.set(String(mark), { first: Number(first), last: Number(last) });
  }
  const others = new Map<unknown, number>();
  for (const [id, own] of marks) {
    const other = own.flatMap((mark) => Object.values(groups.get(mark) ?? {})).find((found) => found !== Number(id));
    if (other !== undefined) others.set(id, other);
  }
  return emailsOf(db, others);
}

async function emailsOf(db: Db, others: Map<unknown, number>): Promise<Map<unknown, string>> {
  const ids = [...new Set(others.values())];
  const emails = new Map<number, string>();
  for (let at = 0; at < ids.length; at += chunk) {
    const some = db
      .selectFrom('user')
      .select(['id', 'email'])
      .where('id', 'in', ids.slice(at, at + chunk));
    for (const { id, email } of await some.execute()) emails.set(id, email);
  }
  return new Map([...others].map(([id, other]) => [id, emails.get(other) ?? '']));
}
