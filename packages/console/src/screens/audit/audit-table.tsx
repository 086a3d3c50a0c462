import type { ComponentProps } from 'react';
import { useText } from '../../text/index.ts';
import classes from './audit.module.css';

const columns = ['when', 'who', 'what', 'from', 'outcome'] as const;

/** The table of what was done and by whom; its rows are the children. */
export function AuditTable({ children, ...table }: Omit<ComponentProps<'table'>, 'className'>) {
  const t = useText('audit');
  return (
    <table className={classes.table} {...table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
