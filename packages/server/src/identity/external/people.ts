// People of providers: found by the account they have there, made when they sign in for the first time, and given the roles of
// the service each time (contract/sessions-and-accounts.md §9, ADR 0032).
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { platformActor } from '../../records/actor.ts';
import type { WriteContext } from '../../records/change.ts';
import type { RecordEngine } from '../../records/index.ts';
import { deleteRows, insertRow, updateRow } from '../../records/write-row.ts';
import { type Db, folded, type Store, skeletonOf } from '../../store/index.ts';
import type { UserRow } from '../directory.ts';
import { readPerson } from '../person-rules.ts';
import type { ExternalService, ProviderPerson } from './provider.ts';
import { shadowAddresses } from './shadow-address.ts';

/** Characters of a name. */
const maxName = 255;

type Origin = NonNullable<Parameters<typeof platformActor>[0]>;

interface PeopleParts {
  store: Store;
  records: RecordEngine;
}

/** Finds or makes the person of an account at a provider; answers their row, with the roles they have by it. */
export async function findExternalPerson(
  parts: PeopleParts,
  service: ExternalService,
  account: ProviderPerson,
  origin: Origin,
): Promise<UserRow> {
  const find = () => findOnce(parts, service, account, origin);
  try {
    return await find();
  } catch (error) {
    // They sign in twice at once for the first time: now they are there.
    if (!parts.store.isDuplicate(error)) throw error;
    return find();
  }
}

const findOnce = ({ records }: PeopleParts, service: ExternalService, account: ProviderPerson, origin: Origin) =>
  records.transaction(platformActor(origin), async (transaction) => {
    const { db } = transaction;
    const subject = createHash('sha256').update(account.subject).digest('hex');
    const identity = await db
      .selectFrom('external_identity')
      .select(['user_id', 'given_role_id'])
      .where('service_id', '=', service.id)
      .where('subject', '=', subject)
      .executeTakeFirst();
    let id = identity?.user_id;
    if (id === undefined) {
      id = (await findUnlinked(db, service, account)) ?? (await createPerson(service, account, transaction));
      const link = { service_id: service.id, subject, user_id: id };
      await transaction.store.insert(db, 'external_identity', link);
    }
    const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    // An account of a provider is that of a user, whatever became of the person.
    if (row.is_sys_admin === 1) throw fail('session.credentials');
    if (row.is_active !== 1) throw fail('session.userInactive');
    const given = await applyRoles(row.id, service, identity?.given_role_id ?? undefined, transaction);
    if (given !== (identity?.given_role_id ?? undefined))
      await db
        .updateTable('external_identity')
        .set({ given_role_id: given ?? null })
        .where('service_id', '=', service.id)
        .where('subject', '=', subject)
        .execute();
    return row;
  });

/**
 * Somebody who came from elsewhere with the address that this account has here, which the provider verified, and who is nobody's
 * account yet: imported people keep what is theirs.
 */
async function findUnlinked(db: Db, service: ExternalService, account: ProviderPerson): Promise<number | undefined> {
  if (account.joinsNobody) return undefined;
  // Not by the last, which is made of the account's id: nobody came from elsewhere with that.
  for (const address of shadowAddresses(account, service.name).slice(0, -1)) {
    const row = await db
      .selectFrom('user')
      .select('id')
      .where('email_folded', '=', folded(address))
      .where(service.column, '=', service.name)
      .where('is_sys_admin', '=', 0)
      .where('password', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('external_identity').select('id').whereRef('user_id', '=', 'user.id'))),
      )
      .executeTakeFirst();
    if (row) return row.id;
  }
  return undefined;
}

async function createPerson(
  service: ExternalService,
  account: ProviderPerson,
  transaction: WriteContext,
): Promise<number> {
  const { db, resourceOf } = transaction;
  for (const email of shadowAddresses(account, service.name)) {
    const { values, problems } = await readPerson(
      db,
      { ...namesOf(account, email), email, username: email },
      undefined,
    );
    if (Object.keys(problems).length > 0) continue;
    const row = {
      ...values,
      ...{ email_skeleton: skeletonOf(String(values.email)), is_active: 1, confirm_code: null, password: null },
      [service.column]: service.name,
      ...(account.account ? { ldap_username: account.account.name } : {}),
    };
    return Number(await insertRow(resourceOf('user'), row, transaction));
  }
  throw fail('provider.addressTaken');
}

/** Names as the provider has them; what is missing is made of the others. */
function namesOf({ name, firstName, lastName }: ProviderPerson, email: string) {
  const whole = nameOf(name) || nameOf([firstName, lastName].filter(Boolean).join(' ')) || (email.split('+')[0] ?? '');
  const [first = whole, ...rest] = whole.split(' ');
  return {
    name: whole,
    first_name: nameOf(firstName) || first,
    last_name: nameOf(lastName) || rest.join(' ') || first,
  };
}

const nameOf = (text: string | undefined): string =>
  Array.from((text ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .slice(0, maxName)
    .join('');

/**
 * The default role in every app that they have none in, and the roles of the map in its apps, whatever they had there. Where groups
 * give roles, theirs takes the place of the default one, and of what was given so before: `givenBefore`. Answers what is given so now.
 */
async function applyRoles(
  userId: number,
  { roles }: ExternalService,
  givenBefore: number | undefined,
  transaction: WriteContext,
): Promise<number | undefined> {
  const { db, resourceOf } = transaction;
  const resource = resourceOf('user_to_app_to_role');
  const mapped = new Map((roles.app_role_map ?? []).map(({ app_id, role_id }) => [Number(app_id), Number(role_id)]));
  const { byGroups } = roles;
  const existingRoles = new Set((await db.selectFrom('role').select('id').execute()).map(({ id }) => id));
  const wanted = byGroups?.role ?? (roles.default_role === null ? undefined : Number(roles.default_role));
  const given = wanted !== undefined && existingRoles.has(wanted) ? wanted : undefined;
  const held = await db.selectFrom('user_to_app_to_role').selectAll().where('user_id', '=', userId).execute();
  const heldByApp = new Map(held.map((row) => [row.app_id, row]));
  for (const { id: app_id } of await db.selectFrom('app').select('id').orderBy('id').execute()) {
    const row = heldByApp.get(app_id);
    const isReplaced = byGroups !== undefined && row?.role_id === givenBefore;
    const role_id = mapped.get(app_id) ?? (row && !isReplaced ? undefined : given);
    if (role_id === undefined || !existingRoles.has(role_id)) {
      if (row && isReplaced) await deleteRows(resource, [{ ...row }], transaction);
      continue;
    }
    if (row) await updateRow(resource, { ...row }, { role_id }, transaction);
    else await insertRow(resource, { user_id: userId, app_id, role_id }, transaction);
  }
  return byGroups ? given : undefined;
}
