import { Table, Text, VisuallyHidden } from '@mantine/core';
import { useText } from '../../../text/index.ts';
import { type Column, fitCell } from './columns.ts';
import classes from './paste.module.css';
import type { Cell } from './read/read-data.ts';

const shownRows = 50;
/** Longer texts are cut. */
const maxShown = 80;

/** The first rows of the data, as they would be inserted; values that do not fit are marked. */
export function Preview({ columns, rows }: { columns: readonly Column[]; rows: readonly Cell[][] }) {
  const t = useText('schema');
  const used = columns.filter(({ isUsed }) => isUsed);
  return (
    <div>
      <Text size="sm" fw={500} mb="xs">
        {rows.length > shownRows ? t('paste.firstRows', { count: shownRows }) : t('paste.allRows')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className={classes.preview} aria-label={t('paste.preview')} tabIndex={0}>
        <Table withColumnBorders highlightOnHover stickyHeader>
          <Table.Thead>
            <Table.Tr>
              {used.map(({ index, name }) => (
                <Table.Th key={index} scope="col">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownRows).map((row, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and stay where they are
              <Table.Tr key={position}>
                {used.map((column) => (
                  <PreviewCell key={column.index} cell={row[column.index]!} column={column} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </div>
  );
}

function PreviewCell({ cell, column }: { cell: Cell; column: Column }) {
  const t = useText('schema');
  const value = fitCell(cell, column);
  if (value === undefined)
    return (
      <Table.Td className={classes.misfit!} title={t('paste.doesNotFit')}>
        {cell === null ? t('paste.missing') : cut(cell)}
        <VisuallyHidden> ({t('paste.doesNotFit')})</VisuallyHidden>
      </Table.Td>
    );
  if (value === null) return <Table.Td className={classes.null!}>NULL</Table.Td>;
  return <Table.Td>{cut(String(value))}</Table.Td>;
}

const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);
