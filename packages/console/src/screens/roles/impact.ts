// Who loses something when roles are deleted.
import { api } from '../../api/index.ts';
import { formatNumber, text } from '../../text/index.ts';
import { describeError } from '../../ui/index.ts';

interface Holders {
  id: number;
  app_by_role_id?: { id: number }[];
  user_to_app_to_role_by_role_id?: { user_id: number }[];
}

/** Longer lists of ids fit into no address; then all roles are read. */
const maxIdsLength = 4000;

/** "3 users and 1 app lose it." for the question before a deletion; or why that cannot be told. */
export async function impactOf(ids: readonly number[]): Promise<string> {
  try {
    const { users, apps } = await holdersOf(ids);
    if (users === 0 && apps === 0) return text('roles:impact.none');
    const holderTexts = {
      users: text('roles:impact.users', { count: users, number: formatNumber(users) }),
      apps: text('roles:impact.apps', { count: apps, number: formatNumber(apps) }),
    };
    if (users === 0) return text('roles:impact.one', { who: holderTexts.apps });
    return apps === 0 ? text('roles:impact.one', { who: holderTexts.users }) : text('roles:impact.both', holderTexts);
  } catch (error) {
    // The deletion is confirmed all the same, knowing that.
    return text('roles:impact.unknown', { reason: describeError(error).messages.join(' ') });
  }
}

async function holdersOf(ids: readonly number[]): Promise<{ users: number; apps: number }> {
  const isShort = ids.join(',').length <= maxIdsLength;
  const { resource } = await api.get<{ resource: Holders[] }>('system/role', {
    query: { fields: 'id', related: 'app_by_role_id,user_to_app_to_role_by_role_id', ...(isShort ? { ids } : {}) },
  });
  const roleIds = new Set(ids);
  const roles = resource.filter(({ id }) => roleIds.has(id));
  const users = new Set(
    roles.flatMap((role) => role.user_to_app_to_role_by_role_id ?? []).map((holder) => holder.user_id),
  );
  return { users: users.size, apps: roles.reduce((sum, role) => sum + (role.app_by_role_id?.length ?? 0), 0) };
}
