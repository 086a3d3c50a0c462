import type { PlannedTable } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { formatNumber, useText } from '../../../text/index.ts';
import { CopyButton } from '../../../ui/index.ts';
import type { SchemaWrite } from '../address/write.ts';
import { Fold } from './fold.tsx';
import { headlineOfTables } from './headline.ts';
import classes from './plan.module.css';
import { PlanHeadline } from './plan-headline.tsx';
import { misfitText } from './sentences.ts';
import { staysAfter } from './usage.ts';
import { UsageList } from './usage-list.tsx';

interface PlanDetailsProps {
  tables: readonly PlannedTable[];
  write: SchemaWrite;
  /** Whether the SQL of a single table is unfolded from the start. */
  showsSql: boolean;
}

/** Everything a plan says; of several tables each by itself. */
export function PlanDetails({ tables, write, showsSql }: PlanDetailsProps) {
  const [only, ...others] = tables;
  if (!only) return null;
  if (others.length === 0) return <TableDetails table={only} write={write} showsSql={showsSql} />;
  return (
    <ul className={classes.tables}>
      {tables.map((table, index) => (
        // A table may come twice: references to tables that are made after it.
        // biome-ignore lint/suspicious/noArrayIndexKey: tables of one answer, in their order
        <PlannedTableRow key={index} table={table} write={write} />
      ))}
    </ul>
  );
}

function PlannedTableRow({ table, write }: { table: PlannedTable; write: SchemaWrite }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <Fold
        isOpen={isOpen}
        onToggle={setOpen}
        head={
          <>
            <strong className={classes.tableName}>{table.name}</strong>
            <PlanHeadline headline={headlineOfTables([table], write)} />
          </>
        }
      >
        <TableDetails table={table} write={write} showsSql />
      </Fold>
    </li>
  );
}

function TableDetails({ table, write, showsSql }: { table: PlannedTable; write: SchemaWrite; showsSql: boolean }) {
  const t = useText('schema');
  const { misfits, used_by, statements, undo } = table;
  const losses = table.losses.filter(({ records }) => records > 0);
  const isLossSaid = losses.length === 1 && headlineOfTables([table], write).tone === 'loss';
  const stays = used_by.filter((entry) => staysAfter(write, entry));
  const follows = used_by.filter((entry) => !staysAfter(write, entry));
  return (
    <>
      {misfits.length > 0 ? (
        <Part title={t('plan.misfits')}>
          <ul className={classes.list}>
            {misfits.map((misfit) => (
              <li key={JSON.stringify([misfit.field, misfit.problem])}>{misfitText(misfit)}</li>
            ))}
          </ul>
        </Part>
      ) : null}
      {losses.length > 0 && !isLossSaid ? (
        <Part title={t('plan.losses')}>
          <ul className={classes.list}>
            {losses.map(({ field, records }) => {
              const counted = { count: records, records: formatNumber(records) };
              return (
                <li key={field}>
                  {field === null ? t('plan.lostRecords', counted) : t('plan.lostValues', { ...counted, field })}
                </li>
              );
            })}
          </ul>
        </Part>
      ) : null}
      {stays.length > 0 ? (
        <Part title={t('plan.stays')}>
          <UsageList entries={stays} />
        </Part>
      ) : null}
      {follows.length > 0 ? (
        <Part title={t(write.verb === 'DELETE' ? 'plan.removed' : 'plan.follows')}>
          <UsageList entries={follows} />
        </Part>
      ) : null}
      {statements.length === 0 ? <p className={classes.undo}>{t('plan.sayOnly')}</p> : null}
      {statements.length > 1 || (statements.length > 0 && undo === 'none') ? (
        <p className={classes.undo} data-warning={undo === 'none' || undefined}>
          {t(`plan.undo.${undo}`)}
        </p>
      ) : null}
      {statements.length > 0 ? <Statements statements={statements} isOpenAtFirst={showsSql} /> : null}
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.part}>
    <p className={classes.partTitle}>{title}</p>
    {children}
  </div>
);

function Statements({ statements, isOpenAtFirst }: { statements: readonly string[]; isOpenAtFirst: boolean }) {
  const t = useText('schema');
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const sql = statements.map((statement) => `${statement};`).join('\n');
  return (
    <div>
      <Fold isOpen={isOpen} onToggle={setOpen} head={t('plan.sql', { count: statements.length })}>
        <div className={classes.sqlFrame}>
          {/* biome-ignore lint/a11y/useSemanticElements: no set of inputs, and no landmark */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
          <div role="group" className={classes.sql} aria-label={t('plan.sqlLabel')} tabIndex={0}>
            <pre>{sql}</pre>
          </div>
          <div className={classes.copy}>
            <CopyButton value={sql} thing={t('plan.sqlThing')} />
          </div>
        </div>
      </Fold>
    </div>
  );
}
