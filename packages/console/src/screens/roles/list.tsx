import { useMemo } from 'react';
import { CreateKeyButton } from '../../calls/index.ts';
import { activeColumn, column, idColumn, ListScreen, type Row, switchActive } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { impactOf } from './impact.ts';
import { roleRelations } from './record.ts';
import { permissionTexts, useServices } from './sources.ts';

const search = ['name', 'description'];
/** Roles are choices elsewhere too, so all of them are read at once (ROL-039, C-ROL-01). */
const pageSize = 10_000;

/** The list of roles (ROL-003). */
export function RolesList() {
  const t = useText('roles');
  // ROL-026: read with the tab, so that an editor opened next has them.
  useServices();

  const columns = useMemo(
    () => [
      idColumn(t('columns.id'), 88),
      column('name', { label: t('columns.name'), width: 280, opens: true }),
      column('description', { label: t('columns.description'), card: 'line' }),
      activeColumn(t('columns.active')),
    ],
    [t],
  );

  return (
    <ListScreen
      texts="roles"
      resource="role"
      related={roleRelations}
      pageSize={pageSize}
      search={search}
      permissionTexts={permissionTexts}
      base="/roles"
      columns={columns}
      buttons={<CreateKeyButton />}
      actions={(list) => [switchActive(list, () => t('updated'))]}
      warning={(rows: readonly Row[]) => impactOf(rows.map(({ id }) => Number(id)))}
    />
  );
}
