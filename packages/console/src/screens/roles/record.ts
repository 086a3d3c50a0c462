// A role as the editor holds it and as it is sent. Pure.
import { type LookupKey, lookupKeysOf, lookupKeysToDraft, lookupKeysToRecord } from '../../fields/index.ts';
import {
  type AccessChanges,
  changesTo,
  currentRows,
  noChanges,
  rowsToRecord,
  storedRows,
  toWireRow,
} from './access.ts';

const accessRelation = 'role_service_access_by_role_id';

/** What is read and written with a role (C-ROL-01, C-ROL-03, C-ROL-04). */
export const roleRelations = `${accessRelation},lookup_by_role_id`;

export interface RoleForm extends Record<string, unknown> {
  id?: number;
  name: string;
  description: string;
  is_active: boolean;
  default_app_id: number | null;
  /** What was changed of the rows in the record. */
  access: AccessChanges;
  /** Keys of the rows in the record: a draft may speak of rows that are gone since. */
  storedRowKeys: string[];
  lookup_by_role_id: LookupKey[];
  /** The directory binding as typed; absent until then (ROL-007). */
  dn?: string;
}

/** What the editor of a new role starts with (ROL-005, ROL-006). */
export const emptyRole: RoleForm = {
  name: '',
  description: '',
  is_active: false,
  default_app_id: null,
  access: noChanges,
  storedRowKeys: [],
  lookup_by_role_id: [],
};

/** A loaded role as the editor holds it. */
export const toForm = (record: Record<string, unknown>): RoleForm => ({
  id: record.id as number,
  name: String(record.name ?? ''),
  description: String(record.description ?? ''),
  is_active: record.is_active === true,
  default_app_id: (record.default_app_id ?? null) as number | null,
  access: noChanges,
  storedRowKeys: storedRows(record[accessRelation]).map(({ key }) => key),
  lookup_by_role_id: lookupKeysOf(record.lookup_by_role_id),
});

/** The body of a save. */
export function toRecord(form: RoleForm): Record<string, unknown> {
  const { access, storedRowKeys, dn, lookup_by_role_id, ...role } = form;
  return {
    ...role,
    name: role.name.trim(),
    [accessRelation]: rowsToRecord(access, storedRowKeys, role.id),
    lookup_by_role_id: lookupKeysToRecord(lookup_by_role_id),
    ...(dn === undefined ? {} : { role_adldap_by_role_id: bindingToRecord(dn, role.id) }),
  };
}

/** OPEN-164: the binding goes as a list of one; none is no binding. */
const bindingToRecord = (dn: string, roleId: number | undefined) =>
  dn.trim() === '' ? null : [{ ...(roleId === undefined ? {} : { role_id: roleId }), dn: dn.trim() }];

/** A form as it may be kept as a draft. */
export const toDraft = ({ storedRowKeys: _storedRowKeys, ...form }: RoleForm): Partial<RoleForm> => ({
  ...form,
  lookup_by_role_id: lookupKeysToDraft(form.lookup_by_role_id),
});

/** Form and record as one, to be compared where someone else saved first: the rows as they would be. */
export function toComparable(form: RoleForm, record: Record<string, unknown>): Record<string, unknown> {
  const { access, storedRowKeys: _storedRowKeys, ...role } = form;
  const rows = currentRows(storedRows(record[accessRelation]), access);
  return { ...role, [accessRelation]: rows.map((row) => toWireRow(row, role.id)) };
}

/** What was compared, as a form on top of a record. */
export function fromComparable(comparable: Record<string, unknown>, record: Record<string, unknown>): RoleForm {
  const { [accessRelation]: rows, ...role } = comparable;
  return { ...toForm(record), ...role, access: changesTo(storedRows(record[accessRelation]), rows) };
}
