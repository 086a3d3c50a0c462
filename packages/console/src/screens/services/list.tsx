import { useEffect, useMemo } from 'react';
import { useLinkableServices } from '../../fields/index.ts';
import { activeColumn, column, idColumn, ListScreen, type Row, switchActive, useForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { notify, ServiceTypeIcon } from '../../ui/index.ts';
import { CreatedNotice } from './created.tsx';
import classes from './services.module.css';
import { permissionTexts, serviceRelations, useServiceTypes } from './sources.ts';

const search = ['name', 'label', 'description', 'type'];

/** The list of services (SVC-003). */
export function ServicesList() {
  const t = useText('services');
  const { types, error: typesError } = useServiceTypes();
  const isForbidden = useForbidden(typesError, t('title'), 'service', permissionTexts);
  // SVC-034: read with the tab, so that an editor opened next has it.
  const { error: linkableError } = useLinkableServices();
  const hasFailed = (typesError ?? linkableError) !== null && !isForbidden;
  useEffect(() => {
    // SVC-042: without these the list still stands, so that it is said beside it.
    if (hasFailed) notify.error(t('title'), t('loadFailed'));
  }, [hasFailed, t]);

  const columns = useMemo(() => {
    const typeCell = (row: Row) => {
      const type = types?.find(({ name }) => name === row.type);
      return (
        <span className={classes.typeCell}>
          <ServiceTypeIcon type={String(row.type ?? '')} group={type?.group} />
          {type?.label ?? String(row.type ?? '')}
        </span>
      );
    };
    return [
      idColumn(t('columns.id')),
      column('name', { label: t('columns.name'), width: 160, opens: true }),
      column('label', { label: t('columns.label'), width: 200, card: 'line' }),
      column('description', { label: t('columns.description') }),
      column('type', { label: t('columns.type'), width: 190, cell: typeCell, card: 'line' }),
      activeColumn(t('columns.active')),
    ];
  }, [t, types]);

  return (
    <ListScreen
      texts="services"
      resource="service"
      related={serviceRelations}
      pageSize={100}
      search={search}
      permissionTexts={permissionTexts}
      base="/services"
      above={<CreatedNotice />}
      columns={columns}
      isDeletable={isDeletable}
      nameOf={(row) => String(row.label || row.name)}
      actions={(list) => [switchActive(list, () => t('updated'), isDeletable)]}
    />
  );
}

/** The services the platform itself lives on are neither ticked nor deleted (OPEN-136). */
const isDeletable = (row: Row): boolean => row.deletable === true;
