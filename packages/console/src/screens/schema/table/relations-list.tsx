// The relations of a table (OPEN-170). Those of foreign keys come and go with their fields.

import { ActionIcon } from '@mantine/core';
import type { RelationDescription } from '@sluice/contract';
import { IconCheck, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import { useSchemaServices } from '../address/sources.ts';
import { usePlace } from '../address/use-place.ts';
import { ListPart } from './list-part.tsx';
import classes from './table.module.css';

interface RelationsListProps {
  relations: readonly RelationDescription[];
  openName: string | null;
  addressOf: (name: string) => string;
  /** Absent: none can be added or deleted now. */
  onAdd?: (() => void) | undefined;
  onDelete?: ((relation: RelationDescription) => void) | undefined;
}

export function RelationsList({ relations, openName, addressOf, onAdd, onDelete }: RelationsListProps) {
  const t = useText('schema');
  const targetOf = useTarget();
  return (
    <ListPart title={t('table.relations')} addLabel={t('table.addRelation')} onAdd={onAdd}>
      <div className={classes.scroller}>
        {relations.length === 0 ? (
          <p className={classes.empty}>{t('table.noRelations')}</p>
        ) : (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('table.column.name')}</th>
                <th scope="col" data-extra>
                  {t('table.column.alias')}
                </th>
                <th scope="col">{t('table.column.type')}</th>
                <th scope="col" data-extra>
                  {t('table.column.leadsTo')}
                </th>
                <th scope="col" data-extra>
                  {t('table.column.virtual')}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {relations.map((relation) => (
                <tr key={relation.name} data-open={relation.name === openName || undefined}>
                  <td>
                    <Link className={classes.open} to={addressOf(relation.name)}>
                      {relation.name}
                    </Link>
                  </td>
                  <td data-extra>{relation.alias}</td>
                  <td>{t(`table.kind.${relation.type}`)}</td>
                  <td data-extra className={classes.type}>
                    {targetOf(relation)}
                  </td>
                  <td data-extra>
                    {relation.is_virtual ? (
                      <IconCheck className={classes.yes} aria-label={t('table.yes')} role="img" />
                    ) : null}
                  </td>
                  <td>
                    {onDelete && relation.is_virtual ? (
                      <ActionIcon
                        className={classes.above!}
                        size="sm"
                        variant="subtle"
                        color="gray"
                        aria-label={t('table.deleteRelation', { name: relation.name })}
                        onClick={() => onDelete(relation)}
                      >
                        <IconTrash className={classes.icon} aria-hidden />
                      </ActionIcon>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </ListPart>
  );
}

/** What a relation leads to, and through: with the service where that is another one. */
function useTarget(): (relation: RelationDescription) => string {
  const t = useText('schema');
  const { data: services } = useSchemaServices();
  const { service } = usePlace();
  const tableOf = (id: number | null, table: string | null) => {
    const other = services?.find((each) => each.id === id && each.name !== service);
    return other ? `${other.name}.${table}` : `${table}`;
  };
  return ({ ref_service_id, ref_table, ref_field, junction_service_id, junction_table }) => {
    const target = `${tableOf(ref_service_id, ref_table)}.${ref_field}`;
    if (junction_table === null) return target;
    return t('table.through', { target, junction: tableOf(junction_service_id, junction_table) });
  };
}
