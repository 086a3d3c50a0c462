import { Badge, Table } from '@mantine/core';
import { formatNumber, useText } from '../../../text/index.ts';
import type { TableEntry, TableState } from './read-tables.ts';
import classes from './upload.module.css';

const colors: Record<TableState, string> = { new: 'green', exists: 'yellow', unnamed: 'red', twice: 'red' };

/** The tables of the JSON: what each would be. */
export function TableList({ entries }: { entries: readonly TableEntry[] }) {
  const t = useText('schema');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={classes.tables} aria-label={t('upload.tables')} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('upload.tableName')}</Table.Th>
            <Table.Th scope="col" className={classes.number!}>
              {t('upload.fields')}
            </Table.Th>
            <Table.Th scope="col">{t('upload.state')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(({ name, fieldCount, state }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand there twice
            <Table.Tr key={index}>
              <Table.Td className={classes.name!}>{name || '–'}</Table.Td>
              <Table.Td className={classes.number!}>{formatNumber(fieldCount)}</Table.Td>
              <Table.Td>
                <Badge variant="light" color={colors[state]} className={classes.badge!} data-state={state}>
                  {t(`upload.states.${state}`)}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
