import { ActionIcon, Button, useCombobox } from '@mantine/core';
import type { RelationDescription } from '@sluice/contract';
import { IconArrowUpRight, IconPlus, IconUnlink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '../../../text/index.ts';
import { Empty, Loading } from '../../../ui/index.ts';
import { recordPageLocation } from '../address/grid-host.ts';
import { keyOf } from '../address/grid-state.ts';
import { type Schema, systemService } from '../address/sources.ts';
import { childRelations, relatedLocation } from '../record/related.ts';
import { LoadFailure } from '../records/records.tsx';
import { ChoiceList } from '../reference/choice-list.tsx';
import { CompactPager } from '../reference/compact-pager.tsx';
import { recordName, type TableRef } from '../reference/target.ts';
import classes from '../styles/shared.module.css';
import { defaultColumns } from '../table/columns.ts';
import { CellValue } from '../values/cell-value.tsx';
import { inputKind } from '../values/values.ts';
import { ChildPanel, type Parent } from './child-panel.tsx';
import ownClasses from './related.module.css';
import { type Assignment, type JunctionSource, useJunction } from './use-junction.ts';

interface JunctionPanelProps extends JunctionSource {
  choice: ReactNode;
}

/** The records that belong to one through a junction. */
export function JunctionPanel({ choice, ...junction }: JunctionPanelProps) {
  const { parent, relation, target } = junction;
  const state = useJunction(junction);
  const { assignments, targetSchema, error } = state;
  const t = useText('data');
  const label = targetSchema?.label || target.table;
  const panel = { title: relation.label || relation.name, isVirtual: relation.is_virtual, choice };
  if (state.isBroken) return <ChildPanel {...panel} text={t('child.broken')} />;
  const tools = (
    <>
      {state.count > 0 ? (
        <CompactPager
          page={state.page}
          pageLength={assignments.length}
          count={state.count}
          onStep={(delta) => state.goToPage(state.page + delta)}
        />
      ) : null}
      {state.schema ? <AddAssignment {...{ parent, relation, target, state, label }} /> : null}
    </>
  );
  return (
    <ChildPanel {...panel} tools={tools}>
      {error ? (
        <LoadFailure error={error} label={label} onRetry={state.retry} />
      ) : state.isLoading ? (
        <div className={classes.skeleton}>
          <Loading shape="rows" count={4} />
        </div>
      ) : assignments.length === 0 ? (
        <Empty title={t('empty')} text={t('child.noneYet', { table: label })} />
      ) : (
        <AssignmentTable
          label={label}
          target={target}
          schema={targetSchema}
          assignments={assignments}
          onRemove={(assignment, name) => void state.remove(assignment, name)}
          isBusy={state.isBusy}
        />
      )}
    </ChildPanel>
  );
}

interface AddAssignmentProps {
  parent: Parent;
  relation: RelationDescription;
  target: TableRef;
  state: ReturnType<typeof useJunction>;
  label: string;
}

/** Chooses a record to add. Where an assignment needs more fields, it is created in the junction's own table. */
function AddAssignment({ parent, relation, target, state, label }: AddAssignmentProps) {
  const t = useText('data');
  const location = useLocation();
  const store = useCombobox({ onDropdownOpen: () => store.focusSearchInput() });
  const { requiredFields, schema } = state;
  if (requiredFields.length > 0) {
    const junctionRelation = childRelations(parent.schema).find(
      (child) => child.ref_table === relation.junction_table && child.ref_field === relation.junction_field,
    );
    if (!junctionRelation) return null;
    const { pathname, search } = relatedLocation(
      parent.state.service,
      parent.state.table,
      location,
      parent.key,
      junctionRelation.name,
    );
    return (
      <Button
        component={Link}
        to={`${pathname}?${search}&child.pane=new`}
        size="xs"
        title={t('child.addNeeds', { fields: requiredFields.map((field) => field.label || field.name).join(', ') })}
        leftSection={<IconPlus className={classes.smallIcon} aria-hidden />}
      >
        {t('child.addIn', { table: schema?.label || relation.junction_table })}
      </Button>
    );
  }
  return (
    <ChoiceList
      store={store}
      target={target}
      fields={state.targetColumns}
      filter={state.choiceFilter}
      value={null}
      onChoose={(record) => void state.add(record)}
    >
      <Button
        size="xs"
        loading={state.isBusy}
        aria-expanded={store.dropdownOpened}
        leftSection={<IconPlus className={classes.smallIcon} aria-hidden />}
        onClick={() => store.toggleDropdown()}
      >
        {t('child.add', { table: label })}
      </Button>
    </ChoiceList>
  );
}

/** What an assignment names its record by. */
const valueTextOf = ({ values }: Assignment): string => values.join(' / ');

/** The most fields shown beside the name. */
const maxExtraColumns = 4;

interface AssignmentTableProps {
  label: string;
  target: TableRef;
  /** Absent while no record could be read. */
  schema: Schema | undefined;
  assignments: readonly Assignment[];
  onRemove: (assignment: Assignment, name: string) => void;
  isBusy: boolean;
}

function AssignmentTable({ label, target, schema, assignments, onRemove, isBusy }: AssignmentTableProps) {
  const t = useText('data');
  const names = schema ? defaultColumns(schema) : [];
  const fields =
    schema?.field.filter((field) => names.includes(field.name) && inputKind(field.type) !== 'binary') ?? [];
  const visibleFields = fields.slice(0, maxExtraColumns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
    <div className={ownClasses.scroller} tabIndex={0}>
      <table className={`${ownClasses.plain} ${ownClasses.acted}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {visibleFields.map((field) => (
              <th key={field.name} scope="col" className={ownClasses.extra}>
                {field.name}
              </th>
            ))}
            <th scope="col">
              <span className={ownClasses.hidden}>{t('child.removeIt')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {assignments.map((assignment, index) => {
            const name = assignment.record && schema ? recordName(schema, assignment.record) : valueTextOf(assignment);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a junction without a key may hold the same twice
              <tr key={`${valueTextOf(assignment)} ${index}`}>
                <td>
                  <RecordName target={target} schema={schema} assignment={assignment} name={name} />
                </td>
                {visibleFields.map((field) => (
                  <td key={field.name} className={ownClasses.extra}>
                    {assignment.record ? <CellValue field={field} value={assignment.record[field.name]} /> : null}
                  </td>
                ))}
                <td>
                  <ActionIcon
                    aria-label={t('child.remove', { record: name })}
                    disabled={isBusy}
                    onClick={() => onRemove(assignment, name)}
                  >
                    <IconUnlink className={classes.smallIcon} aria-hidden />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RecordNameProps {
  target: TableRef;
  schema: Schema | undefined;
  assignment: Assignment;
  name: string;
}

/** The name of a record, as a link to its page. A record that the person may not read shows its value alone. */
function RecordName({ target, schema, assignment, name }: RecordNameProps) {
  const t = useText('data');
  const key = schema && assignment.record ? keyOf(schema, assignment.record) : null;
  if (!assignment.record)
    return <span className={classes.soft}>{t('child.unreadable', { value: valueTextOf(assignment) })}</span>;
  if (!key || target.service === systemService) return name;
  return (
    <Link to={recordPageLocation(target.service, target.table, key)}>
      {name}
      <IconArrowUpRight className={classes.tinyIcon} aria-hidden />
    </Link>
  );
}
