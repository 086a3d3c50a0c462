// E-mail addresses of people: the form in which new ones are stored, and which of them look alike
// (contract/sessions-and-accounts.md §8).
import type { RecordInput } from '../call/payload.ts';
import type { ValidationMessages } from '../resource/fields.ts';
import type { StoredRow } from '../resource/resource.ts';
import { type Db, folded, skeletonsLike } from '../store/index.ts';

/** Refuses an administrator's new address; it does not say whose address it looks like. */
export const lookAlikeMessage = 'The email looks like the address of another person.';

/** More characters than any address has; a longer text is not normalized, since it is refused anyway. */
const maxAddressLength = 1_000;

/** The form in which an address is stored: characters that are the same to people become the same. */
export const normalizeAddress = (text: string): string =>
  text.length > maxAddressLength ? text : text.normalize('NFKC');

/** Normalizes a new address among `values`. One that is already stored stays as it is. */
export function normalizeNewEmail(values: RecordInput, stored: unknown): void {
  const { email } = values;
  if (typeof email !== 'string') return;
  if (email === stored) delete values.email;
  else values.email = normalizeAddress(email);
}

/** Somebody else whose address looks like this one. */
export async function findLookAlike(db: Db, address: string, id: unknown): Promise<string | undefined> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email_skeleton', 'in', skeletonsLike(address))
    // The same address in another case is taken, which is refused elsewhere.
    .where('email_folded', '!=', folded(address))
    .orderBy('id')
    // One of them may be that person.
    .limit(2)
    .execute();
  return rows.find((row) => row.id !== Number(id))?.email;
}

/** Adds a problem when an administrator's new address looks like somebody else's. */
export async function addLookAlikeProblem(
  db: Db,
  email: unknown,
  id: number | undefined,
  problems: ValidationMessages,
) {
  if (typeof email !== 'string' || problems.email) return;
  if (await findLookAlike(db, email, id)) problems.email = [lookAlikeMessage];
}

/** What the audit notes of a new address that looks like somebody else's. */
export async function findResemblance(
  db: Db,
  row: StoredRow,
  before: StoredRow | undefined,
): Promise<{ resembles?: string }> {
  if (row.email === before?.email) return {};
  const resembles = await findLookAlike(db, String(row.email), row.id);
  return resembles === undefined ? {} : { resembles };
}

/** How many values one IN list has. */
const chunkSize = 5_000;

/** By id, whose address that of each person looks like; of several, one. */
export async function findResemblances(
  db: Db,
  people: StoredRow[],
  withAdmins: boolean,
): Promise<Map<unknown, string>> {
  const skeletonsById = new Map(people.map((row) => [row.id, skeletonsLike(String(row.email))]));
  const skeletons = [...new Set([...skeletonsById.values()].flat())];
  const groups = new Map<string, { first: number; last: number }>();
  for (let start = 0; start < skeletons.length; start += chunkSize) {
    const query = db
      .selectFrom('user')
      .select(({ fn }) => ['email_skeleton as mark', fn.min('id').as('first'), fn.max('id').as('last')])
      .where('email_skeleton', 'in', skeletons.slice(start, start + chunkSize))
      .$if(!withAdmins, (people) => people.where('is_sys_admin', '=', 0))
      .groupBy('email_skeleton');
    for (const { mark, first, last } of await query.execute())
      groups.set(String(mark), { first: Number(first), last: Number(last) });
  }
  const lookAlikeIds = new Map<unknown, number>();
  for (const [id, ownSkeletons] of skeletonsById) {
    const sharing = ownSkeletons.flatMap((skeleton) => Object.values(groups.get(skeleton) ?? {}));
    const lookAlikeId = sharing.find((otherId) => otherId !== Number(id));
    if (lookAlikeId !== undefined) lookAlikeIds.set(id, lookAlikeId);
  }
  return loadEmails(db, lookAlikeIds);
}

/** The e-mail address of each id in a map. */
async function loadEmails(db: Db, idsByKey: Map<unknown, number>): Promise<Map<unknown, string>> {
  const ids = [...new Set(idsByKey.values())];
  const emails = new Map<number, string>();
  for (let start = 0; start < ids.length; start += chunkSize) {
    const query = db
      .selectFrom('user')
      .select(['id', 'email'])
      .where('id', 'in', ids.slice(start, start + chunkSize));
    for (const { id, email } of await query.execute()) emails.set(id, email);
  }
  return new Map([...idsByKey].map(([key, id]) => [key, emails.get(id) ?? '']));
}
