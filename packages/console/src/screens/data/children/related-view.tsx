// A record with one of the tables that belong to it (TBL-007, TBL-017). The parent's other rows are hidden, its buttons are disabled (TBL-018, TBL-019).
// child-table.tsx shows the records that refer to it, junction-panel.tsx those behind a junction.
import { Button } from '@mantine/core';
import type { RelationDescription } from '@sluice/contract';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useText } from '../../../text/index.ts';
import { Failed, Loading, Page, SearchSelect } from '../../../ui/index.ts';
import { keyText } from '../address/grid-state.ts';
import { pairedColumns, splitColumns } from '../address/relation-columns.ts';
import { type Row, type Schema, useDatabaseServices } from '../address/sources.ts';
import { childRelations, parentReference, relatedLocation } from '../record/related.ts';
import { useRecord } from '../record/use-record.ts';
import { locateTable, recordName } from '../reference/target.ts';
import classes from '../styles/shared.module.css';
import type { Columns } from '../table/columns.ts';
import type { TableState } from '../table/use-table.ts';
import { Toolbar } from '../toolbar/toolbar.tsx';
import { CellValue } from '../values/cell-value.tsx';
import { ChildPanel, type Parent } from './child-panel.tsx';
import { ChildTable } from './child-table.tsx';
import { JunctionPanel } from './junction-panel.tsx';
import ownClasses from './related.module.css';

interface RelatedViewProps {
  state: TableState;
  schema: Schema;
  columns: Columns;
  recordKey: readonly string[];
}

export function RelatedView({ state, schema, columns, recordKey }: RelatedViewProps) {
  const t = useText('data');
  const [params] = useSearchParams();
  const { record, isMissing, error, retry } = useRecord(state, recordKey);
  const relation = childRelations(schema).find(({ name }) => name === params.get('child'));
  const renderInParent = (below: ReactNode) => (
    <ParentFrame state={state} schema={schema} columns={columns} record={record} isMissing={isMissing}>
      {below}
    </ParentFrame>
  );
  if (!record) {
    if (error) return renderInParent(<Failed error={error} onRetry={retry} />);
    return renderInParent(
      isMissing ? <Failed error={t('missingText')} title={t('missing')} /> : <Loading shape="rows" count={3} />,
    );
  }
  const parent = { state, schema, key: recordKey, record };
  const choice = <RelationChoice parent={parent} relation={relation} />;
  if (!relation) return renderInParent(<ChildPanel title={t('child.title')} choice={choice} text={t('child.none')} />);
  return (
    <RelationPanel
      key={`${relation.name} ${keyText(recordKey)}`}
      parent={parent}
      relation={relation}
      {...{ choice, renderInParent }}
    />
  );
}

interface RelationPanelProps {
  parent: Parent;
  relation: RelationDescription;
  choice: ReactNode;
  /** Renders the parent's record above. */
  renderInParent: (below: ReactNode) => ReactNode;
}

/** The table of the chosen relation, or why it cannot be shown. */
function RelationPanel({ parent, relation, choice, renderInParent }: RelationPanelProps) {
  const t = useText('data');
  const { data: services, isPending } = useDatabaseServices();
  const panel = { title: relation.label || relation.name, choice };
  const { schema, record } = parent;
  const isManyToMany = relation.type === 'many_many';
  const parentColumns = splitColumns(relation.field, schema);
  const columns = pairedColumns(isManyToMany ? relation.junction_field : relation.ref_field, parentColumns);
  if (columns === null) return renderInParent(<ChildPanel {...panel} text={t('child.broken')} />);
  const reference = parentReference(schema, record, parentColumns, columns);
  if (reference === null) {
    const missing = parentColumns.filter((name) => (record[name] ?? null) === null);
    return renderInParent(<ChildPanel {...panel} text={t('child.noValue', { field: missing.join(', ') })} />);
  }
  if (isPending) return renderInParent(<ChildPanel {...panel} />);
  const currentService = parent.state.service;
  const target = locateTable(relation.ref_table, relation.ref_service_id, currentService, services ?? []);
  if (!target)
    return renderInParent(<ChildPanel {...panel} text={t('child.noService', { table: relation.ref_table })} />);
  if (!isManyToMany) return <ChildTable {...{ parent, relation, target, reference, choice, renderInParent }} />;
  const junction = locateTable(
    relation.junction_table ?? '',
    relation.junction_service_id,
    currentService,
    services ?? [],
  );
  if (!junction) {
    return renderInParent(
      <ChildPanel {...panel} text={t('child.noService', { table: relation.junction_table ?? '' })} />,
    );
  }
  return renderInParent(
    <JunctionPanel {...{ parent, relation, target, junction, parentColumns, reference, choice }} />,
  );
}

interface ParentFrameProps extends Omit<RelatedViewProps, 'recordKey'> {
  record: Row | undefined;
  isMissing: boolean;
  children: ReactNode;
}

/** The parent's table with the one record and disabled buttons. */
function ParentFrame({ state, schema, columns, record, isMissing, children }: ParentFrameProps) {
  const t = useText('data');
  const label = schema.label || state.table;
  return (
    <Page
      title={record ? t('child.of', { table: label, record: recordName(schema, record) }) : label}
      actions={
        isMissing ? (
          <Button variant="default" onClick={state.closePane}>
            {t('cancel')}
          </Button>
        ) : state.hasKey ? (
          <Button disabled leftSection={<IconPlus className={classes.icon} aria-hidden />}>
            {t('create')}
          </Button>
        ) : null
      }
    >
      <div className={ownClasses.parent}>
        <section className={`${classes.panel} ${ownClasses.one}`} aria-label={label}>
          <fieldset className={ownClasses.resting} disabled aria-label={t('child.resting')}>
            <Toolbar state={state} columns={columns} filters={null} schemaAddress={null} />
          </fieldset>
          {record ? <ParentRow schema={schema} visibleColumns={columns.visible} record={record} label={label} /> : null}
        </section>
        {children}
      </div>
    </Page>
  );
}

interface ParentRowProps {
  schema: Schema;
  /** Names of the visible columns. */
  visibleColumns: readonly string[];
  record: Row;
  label: string;
}

/** The record whose related tables are open. */
function ParentRow({ schema, visibleColumns, record, label }: ParentRowProps) {
  const fields = visibleColumns.flatMap((name) => schema.field.find((field) => field.name === name) ?? []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
    <div className={ownClasses.scroller} tabIndex={0}>
      <table className={ownClasses.plain} aria-label={label}>
        <thead>
          <tr>
            {fields.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {fields.map((field) => (
              <td key={field.name}>
                <CellValue field={field} value={record[field.name]} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

interface RelationChoiceProps {
  parent: Parent;
  relation: RelationDescription | undefined;
}

/** Chooses the relation whose table is open: one at a time. */
function RelationChoice({ parent: { state, schema, key }, relation }: RelationChoiceProps) {
  const t = useText('data');
  const navigate = useNavigate();
  const location = useLocation();
  const options = childRelations(schema).map(({ name, label }) => ({ value: name, label: label || name }));
  const open = (name: string | null) => navigate(relatedLocation(state.service, state.table, location, key, name));
  return (
    <>
      <SearchSelect
        aria-label={t('child.choose')}
        placeholder={t('child.blank')}
        data={options}
        value={relation?.name ?? null}
        onChange={open}
        allowDeselect={false}
        searchable={options.length > 8}
        size="xs"
        className={ownClasses.choice!}
      />
      <Button variant="default" size="xs" onClick={state.closePane}>
        {t('cancel')}
      </Button>
    </>
  );
}
