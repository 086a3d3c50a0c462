// Which role a person has in an app: rows written through people, apps and roles.
import { fail, userToAppToRole } from '@sluice/contract';
import type { ServedResource } from '../../resource/resource.ts';
import { requireHeldRole } from '../role/delegation.ts';

export const userToAppToRoleResource: ServedResource = {
  definition: userToAppToRole,
  table: 'user_to_app_to_role',
  isAddressed: false,
  ownedBy: ['role', 'user', 'admin'],
  /** One role for each app, and none that gives more than the caller holds. */
  async beforeSave({ value, row, context }) {
    const [user, app, role] = [value('user_id'), value('app_id'), value('role_id')];
    const isSame = row && row.user_id === user && row.app_id === app && row.role_id === role;
    if (role && !isSame) await requireHeldRole(context, Number(role));
    if (user === null || app === null) return;
    const other = await context.db
      .selectFrom('user_to_app_to_role')
      .select('id')
      .where('user_id', '=', Number(user))
      .where('app_id', '=', Number(app))
      .where('id', '!=', Number(row?.id ?? 0))
      .executeTakeFirst();
    if (other) throw fail('person.secondRole');
  },
};
