import { ActionIcon, Button, useCombobox } from '@mantine/core';
import type { RelationDescription } from '@sluice/contract';
import { IconArrowUpRight, IconPlus, IconUnlink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '../../../text/index.ts';
import { Empty, Loading } from '../../../ui/index.ts';
import classes from '../look/look.module.css';
import { keyOf, tableAddress, withRecordKey } from '../place/place.ts';
import { pageHost } from '../place/site.ts';
import { type Schema, systemService } from '../place/sources.ts';
import { childRelations, relatedLocation } from '../record/related.ts';
import { LoadFailure } from '../records/records.tsx';
import { ChoiceList } from '../reference/choice-list.tsx';
import { nameOf, type Target } from '../reference/target.ts';
import { Turner } from '../reference/turner.tsx';
import { defaultColumns } from '../table/columns.ts';
import { CellValue } from '../values/cell-value.tsx';
import { inputKind } from '../values/values.ts';
import { ChildPanel, type Parent } from './child-panel.tsx';
import ownClasses from './related.module.css';
import { type Assignment, useAssigned } from './use-assigned.ts';

type Place = Pick<Target, 'service' | 'table'>;

interface AssignedProps {
  parent: Parent;
  relation: RelationDescription;
  /** Where the records are. */
  place: Place;
  /** Where the junction is. */
  through: Place;
  values: readonly string[];
  choice: ReactNode;
}

/** The records that belong to one through a junction. */
export function Assigned({ parent, relation, place, through, values, choice }: AssignedProps) {
  const state = useAssigned(parent, relation, place, through, values);
  const { assignments, targetSchema, error } = state;
  const t = useText('data');
  const label = targetSchema?.label || place.table;
  const tools = (
    <>
      {state.count > 0 ? (
        <Turner
          page={state.page}
          shown={assignments.length}
          count={state.count}
          onTurn={(by) => state.go(state.page + by)}
        />
      ) : null}
      {state.schema ? <Add {...{ parent, relation, place, state, label }} /> : null}
    </>
  );
  return (
    <ChildPanel title={relation.label || relation.name} isVirtual={relation.is_virtual} choice={choice} tools={tools}>
      {error ? (
        <LoadFailure error={error} label={label} onRetry={state.retry} />
      ) : state.isLoading ? (
        <div className={classes.skeleton}>
          <Loading shape="rows" count={4} />
        </div>
      ) : assignments.length === 0 ? (
        <Empty title={t('empty')} text={t('child.noneYet', { table: label })} />
      ) : (
        <AssignedTable
          label={label}
          place={place}
          schema={targetSchema}
          assignments={assignments}
          onRemove={(one, name) => void state.remove(one, name)}
          isBusy={state.isBusy}
        />
      )}
    </ChildPanel>
  );
}

interface AddProps {
  parent: Parent;
  relation: RelationDescription;
  place: Place;
  state: ReturnType<typeof useAssigned>;
  label: string;
}

/** Chooses a record to add; where an assignment needs more than that, it is made in the junction's own table. */
function Add({ parent, relation, place, state, label }: AddProps) {
  const t = useText('data');
  const location = useLocation();
  const store = useCombobox({ onDropdownOpen: () => store.focusSearchInput() });
  const { needed, schema } = state;
  if (needed.length > 0) {
    const junction = childRelations(parent.schema).find(
      (each) => each.ref_table === relation.junction_table && each.ref_field === relation.junction_field,
    );
    if (!junction) return null;
    const { pathname, search } = relatedLocation(
      parent.state.service,
      parent.state.table,
      location,
      parent.key,
      junction.name,
    );
    return (
      <Button
        component={Link}
        to={`${pathname}?${search}&child.pane=new`}
        size="xs"
        title={t('child.addNeeds', { fields: needed.map((field) => field.label || field.name).join(', ') })}
        leftSection={<IconPlus className={classes.smallIcon} aria-hidden />}
      >
        {t('child.addIn', { table: schema?.label || relation.junction_table })}
      </Button>
    );
  }
  return (
    <ChoiceList
      store={store}
      target={{ ...place, field: relation.ref_field }}
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

/** How many fields are shown beside the name. */
const beside = 4;

interface AssignedTableProps {
  label: string;
  place: Place;
  /** Absent while no record could be read. */
  schema: Schema | undefined;
  assignments: readonly Assignment[];
  onRemove: (one: Assignment, name: string) => void;
  isBusy: boolean;
}

function AssignedTable({ label, place, schema, assignments, onRemove, isBusy }: AssignedTableProps) {
  const t = useText('data');
  const names = schema ? defaultColumns(schema) : [];
  const fields =
    schema?.field.filter((field) => names.includes(field.name) && inputKind(field.type) !== 'binary') ?? [];
  const shown = fields.slice(0, beside);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
    <div className={ownClasses.scroller} tabIndex={0}>
      <table className={`${ownClasses.plain} ${ownClasses.acted}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {shown.map((field) => (
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
          {assignments.map((one, index) => {
            const name = one.record && schema ? nameOf(schema, one.record) : one.value;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a junction without a key may hold the same twice
              <tr key={`${one.value} ${index}`}>
                <td>
                  <RecordName place={place} schema={schema} one={one} name={name} />
                </td>
                {shown.map((field) => (
                  <td key={field.name} className={ownClasses.extra}>
                    {one.record ? <CellValue field={field} value={one.record[field.name]} /> : null}
                  </td>
                ))}
                <td>
                  <ActionIcon
                    aria-label={t('child.remove', { record: name })}
                    disabled={isBusy}
                    onClick={() => onRemove(one, name)}
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
  place: Place;
  schema: Schema | undefined;
  one: Assignment;
  name: string;
}

/** What a record is called; its page opens from here. One that may not be read is known by its value alone. */
function RecordName({ place, schema, one, name }: RecordNameProps) {
  const t = useText('data');
  const key = schema && one.record ? keyOf(schema, one.record) : null;
  if (!one.record) return <span className={classes.soft}>{t('child.unreadable', { value: one.value })}</span>;
  if (!key || place.service === systemService) return name;
  const home = { pathname: tableAddress(place.service, place.table), search: '' };
  return (
    <Link
      to={pageHost(place.service, place.table).locationFor(home, withRecordKey(new URLSearchParams(), key), 'record')}
    >
      {name}
      <IconArrowUpRight className={classes.tinyIcon} aria-hidden />
    </Link>
  );
}
