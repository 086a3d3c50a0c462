// `system/role`: what callers may do. Rows of access, lookups and assignments are written through it.
import { role, roleServiceAccess } from '@sluice/contract';
import type { ServedResource } from '../../records/resource.ts';

export const roleResource: ServedResource = { definition: role, table: 'role', isAddressed: true };

/** One row of what a role may do; its values are not judged (contract/system-resources.md §3). */
export const roleServiceAccessResource: ServedResource = {
  definition: roleServiceAccess,
  table: 'role_service_access',
  isAddressed: false,
  ownedBy: ['role'],
};
