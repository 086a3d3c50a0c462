// The fields of a table (OPEN-169): a row opens its field, the line below makes new ones by keyboard.
import { ActionIcon, Badge, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import type { FieldDraft } from '../draft/field.ts';
import { ListPart } from './list-part.tsx';
import { type SortColumn, sortColumns, sortFields } from './sort-fields.ts';
import classes from './table.module.css';

interface FieldsListProps {
  fields: readonly FieldDraft[];
  /** The field that is open in the pane. */
  openName: string | null;
  /** The address of a field's pane, or what opens it where it has none. */
  open: (name: string) => { to: string } | { onClick: () => void };
  /** Absent: fields cannot be added or deleted now. */
  onAdd?: (() => void) | undefined;
  onDelete?: ((field: FieldDraft) => void) | undefined;
  /** Makes new fields below the list. */
  quick?: ReactNode;
  note?: ReactNode;
}

export function FieldsList({ fields, openName, open, onAdd, onDelete, quick, note }: FieldsListProps) {
  const t = useText('schema');
  const [sort, setSort] = useState<{ column: SortColumn; isDown: boolean } | null>(null);
  const sorted = useMemo(() => (sort ? sortFields(fields, sort.column, sort.isDown) : fields), [fields, sort]);
  // Up, down, and back to the order of the table.
  const sortBy = (column: SortColumn) =>
    setSort((present) =>
      present?.column !== column ? { column, isDown: false } : present.isDown ? null : { column, isDown: true },
    );

  return (
    <ListPart title={t('table.fields')} addLabel={t('table.addField')} onAdd={onAdd}>
      {note}
      <div className={classes.scroller}>
        <table className={`${classes.table} ${classes.fields}`}>
          <thead>
            <tr>
              {sortColumns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  data-extra={extraColumns.has(column) || undefined}
                  aria-sort={sort?.column !== column ? 'none' : sort.isDown ? 'descending' : 'ascending'}
                >
                  <UnstyledButton className={classes.sort!} onClick={() => sortBy(column)}>
                    {t(`table.column.${column}`)}
                    {sort?.column !== column ? null : sort.isDown ? (
                      <IconArrowDown className={classes.icon} aria-hidden />
                    ) : (
                      <IconArrowUp className={classes.icon} aria-hidden />
                    )}
                  </UnstyledButton>
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {sorted.map((field) => (
              <tr key={field.name} data-open={field.name === openName || undefined}>
                <td className={classes.name}>
                  <OpenField name={field.name} target={open(field.name)} />
                </td>
                <td data-extra>{field.alias}</td>
                <td className={classes.typeCell}>
                  <TypeOf field={field} />
                </td>
                <td data-extra>
                  <Yes is={field.is_virtual} />
                </td>
                <td data-extra>
                  <Yes is={field.is_aggregate} />
                </td>
                <td data-extra>
                  <Yes is={isRequired(field)} />
                </td>
                <td className={classes.constraints}>
                  <Constraints field={field} />
                </td>
                <td className={classes.deleteCell}>
                  {onDelete ? (
                    <ActionIcon
                      className={classes.above!}
                      size="sm"
                      variant="subtle"
                      color="gray"
                      aria-label={t('table.deleteField', { name: field.name })}
                      onClick={() => onDelete(field)}
                    >
                      <IconTrash className={classes.icon} aria-hidden />
                    </ActionIcon>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {fields.length === 0 ? <p className={classes.empty}>{t('table.noFields')}</p> : null}
        {quick}
      </div>
    </ListPart>
  );
}

const extraColumns = new Set<SortColumn>(['alias', 'virtual', 'aggregate', 'required']);

/** As the server tells it of saved fields; of new ones it follows from the rest. */
const isRequired = (field: FieldDraft): boolean =>
  field.required || (!field.is_virtual && !field.allow_null && field.default === null && !field.auto_increment);

function OpenField({ name, target }: { name: string; target: { to: string } | { onClick: () => void } }) {
  return 'to' in target ? (
    <Link className={classes.open} to={target.to}>
      {name}
    </Link>
  ) : (
    <UnstyledButton className={classes.open!} onClick={target.onClick}>
      {name}
    </UnstyledButton>
  );
}

function TypeOf({ field }: { field: FieldDraft }) {
  const size = [field.precision ?? field.length, field.scale || null].filter((part) => part !== null).join(',');
  const native = field.db_type ?? (size && `(${size})`);
  return (
    <span className={classes.type}>
      {field.type || field.db_type}
      {native && field.type && native !== field.type ? <span className={classes.soft}> {native}</span> : null}
      {field.ref_table ? (
        <span className={classes.soft}>{` → ${field.ref_table}.${field.ref_field || 'id'}`}</span>
      ) : null}
    </span>
  );
}

function Yes({ is }: { is: boolean }) {
  const t = useText('schema');
  return is ? <IconCheck className={classes.yes} aria-label={t('table.yes')} role="img" /> : null;
}

function Constraints({ field }: { field: FieldDraft }) {
  const t = useText('schema');
  const words = [
    field.is_primary_key && t('table.primaryKey'),
    (field.is_foreign_key || field.type === 'reference') && t('table.foreignKey'),
    field.is_unique && t('table.unique'),
    field.is_index && t('table.indexed'),
  ].filter((word) => word !== false);
  return (
    <span className={classes.badges}>
      {words.map((word) => (
        <Badge key={word} size="sm" variant="light" color="gray" tt="none">
          {word}
        </Badge>
      ))}
    </span>
  );
}
