// Which role a person has in an app: rows written through people, apps and roles.
import { fail, userToAppToRole } from '@sluice/contract';
import type { ServedResource } from '../../records/resource.ts';

export const userToAppToRoleResource: ServedResource = {
  definition: userToAppToRole,
  table: 'user_to_app_to_role',
  isAddressed: false,
  ownedBy: ['role', 'user', 'admin'],
  /** One role for each app. */
  async complete({ value, row, context }) {
    const [user, app] = [value('user_id'), value('app_id')];
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
