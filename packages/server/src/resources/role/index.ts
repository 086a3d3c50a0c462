// `system/role`: what callers may do. Rows of access, lookups and assignments are written through it.
import { role, roleAdldap, roleServiceAccess } from '@sluice/contract';
import type { AccessRow } from '../../access/decide.ts';
import { parseFilters } from '../../identity/directory.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';
import { deferRoleCheck, protectLookupName, protectRoleOfApps, requireHeldRole, requireHeldRow } from './delegation.ts';

export const roleResource: ServedResource = {
  definition: role,
  table: 'role',
  isAddressed: true,
  unlinks: [{ resource: 'limit', field: 'role_id' }],
  async beforeSave({ kind, row, values, context }) {
    if (kind === 'create' || !row) return;
    if (values.is_active === true && row.is_active !== 1) await requireHeldRole(context, Number(row.id));
    if (values.name !== undefined && values.name !== row.name)
      await protectLookupName(context, 'role.name', Number(row.id));
  },
  beforeDelete: (row, context) => protectRoleOfApps(context, Number(row.id)),
};

/** One row of what a role may do; its values are not judged (contract/system-resources.md §3), but who gives it is. */
export const roleServiceAccessResource: ServedResource = {
  definition: roleServiceAccess,
  table: 'role_service_access',
  isAddressed: false,
  ownedBy: ['role'],
  async beforeSave(change) {
    const { row, values, context, value } = change;
    const before = row && accessRow((field) => row[field], row.filters);
    const after = accessRow(value, values.filters === undefined ? row?.filters : JSON.stringify(values.filters));
    if (before && row.role_id === value('role_id') && JSON.stringify(before) === JSON.stringify(after)) return;
    for (const id of new Set([row?.role_id, value('role_id')])) if (id) await deferRoleCheck(context, Number(id));
    await requireHeldRow(context, after);
  },
  beforeDelete: (row, context) => deferRoleCheck(context, Number(row.role_id)),
};

/** The group whose people get a role by signing in: it is given to them, so who binds it has to hold all that it gives. */
export const roleAdldapResource: ServedResource = {
  definition: roleAdldap,
  table: 'role_adldap',
  isAddressed: false,
  ownedBy: ['role'],
  async beforeSave({ row, values, value, context }) {
    if (typeof values.dn === 'string') values.dn = values.dn.trim();
    if (row?.dn !== value('dn')) await requireHeldRole(context, Number(value('role_id')));
  },
};

/** A row as it is decided by, its service named by id; `filters` is the JSON text that is stored. */
function accessRow(value: RecordChange['value'], filters: unknown): AccessRow {
  const service = value('service_id') ?? null;
  return {
    id: 0,
    service: service === null ? null : String(service),
    component: String(value('component') ?? ''),
    verbMask: Number(value('verb_mask')),
    requestorMask: Number(value('requestor_mask')),
    filters: parseFilters((filters ?? null) as string | null),
    filterOp: String(value('filter_op') ?? ''),
  };
}
