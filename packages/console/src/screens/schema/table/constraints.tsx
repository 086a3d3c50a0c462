// Keys of a table over several columns: what single fields do not tell.
import { Title } from '@mantine/core';
import { useText } from '../../../text/index.ts';
import type { SchemaTable } from '../address/sources.ts';
import classes from './table.module.css';

interface Constraint {
  constraint_name: string;
  constraint_type: string;
  column_name: string;
  referenced_table_name?: string | null;
  referenced_column_name?: string | null;
}

export function Constraints({ table }: { table: SchemaTable }) {
  const t = useText('schema');
  const constraints = (Object.values(table.constraints) as unknown as Constraint[]).filter(({ column_name }) =>
    String(column_name).includes(','),
  );
  if (constraints.length === 0) return null;
  return (
    <section className={classes.part} aria-label={t('table.constraints')}>
      <Title order={2}>{t('table.constraints')}</Title>
      <div className={classes.scroller}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('table.column.name')}</th>
              <th scope="col">{t('table.column.type')}</th>
              <th scope="col">{t('table.fields')}</th>
              <th scope="col">{t('table.column.leadsTo')}</th>
            </tr>
          </thead>
          <tbody>
            {constraints.map((constraint) => (
              <tr key={constraint.constraint_name}>
                <td>{constraint.constraint_name}</td>
                <td>{constraint.constraint_type}</td>
                <td className={classes.type}>{constraint.column_name}</td>
                <td className={classes.type}>
                  {constraint.referenced_table_name
                    ? `${constraint.referenced_table_name} (${constraint.referenced_column_name})`
                    : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
