// What a relation joins: fields of the table, and the table it leads to, or through, with its fields.
import { ActionIcon, Button } from '@mantine/core';
import type { FieldDescription } from '@sluice/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useText } from '../../../text/index.ts';
import { describeError, dropDownProps, SearchSelect } from '../../../ui/index.ts';
import type { FieldsPart } from '../draft/relation.ts';
import { canMatch, suggestionsFor } from './likely.ts';
import classes from './relation.module.css';
import { useEnd, useFields, useTableNames } from './sources.ts';
import type { RelationForm } from './use-relation.ts';

/**
 * For the many selects of this form: walking through them, or being led to one that is wrong, opens no menu; a closed one has no
 * options, an open one no more than this, of those that match.
 */
const selectProps = {
  comboboxProps: { ...dropDownProps.comboboxProps, keepMounted: false },
  openOnFocus: false,
  limit: 200,
} as const;

/** Field, Reference Service, Table and Field; of a many_many also those of the junction (OPEN-173). */
export function Ends({ form }: { form: RelationForm }) {
  const t = useText('schema');
  const { draft, table, service, isOpen, serviceOf } = form;
  const isThrough = draft.type === 'many_many';
  const readable = (name: string | null) => (isOpen ? name : null);
  const own = useFields(service, isOpen ? table.name : null);
  const tables = useTableNames(readable(serviceOf(draft.ref_service_id)));
  const ref = useEnd(readable(serviceOf(draft.ref_service_id)), draft.ref_table);
  const junctionService = isThrough ? readable(serviceOf(draft.junction_service_id)) : null;
  const junctionTables = useTableNames(junctionService);
  const junction = useEnd(junctionService, draft.junction_table);
  const ownFields = own.data ?? table.field;

  const chooseField = (names: string[]) => {
    const isReferenceOpen = draft.ref_table === null && draft.ref_service_id === null;
    const suggestion =
      draft.type === 'belongs_to' && isReferenceOpen
        ? suggestionsFor(table, tables.data ?? []).find(({ field }) => field === names[0])
        : undefined;
    if (suggestion) void form.choose({ field: names, ref_table: suggestion.table });
    else form.change({ field: names });
  };
  const refFields = (
    <Fields
      form={form}
      part="ref_field"
      label={t('relation.refField')}
      of={draft.ref_table}
      fields={ref.data?.field}
      pairedWith={isThrough ? null : [table.name, draft.field]}
      failure={ref}
      onChange={(ref_field) => form.change({ ref_field })}
    />
  );
  return (
    <>
      <Fields
        form={form}
        part="field"
        label={t('relation.field')}
        of={table.name}
        fields={ownFields}
        pairedWith={null}
        failure={own}
        onChange={chooseField}
      />
      <EndTable form={form} end="ref" names={tables.data} failure={tables} />
      {refFields}
      {isThrough ? null : (
        <TypesDiffer
          pairs={pairFields([table.name, ownFields, draft.field], [draft.ref_table, ref.data?.field, draft.ref_field])}
        />
      )}
      {isThrough ? (
        <>
          <EndTable form={form} end="junction" names={junctionTables.data} failure={junctionTables} />
          <Fields
            form={form}
            part="junction_field"
            label={t('relation.junctionField')}
            of={draft.junction_table}
            fields={junction.data?.field}
            pairedWith={[table.name, draft.field]}
            failure={junction}
            onChange={(junction_field) => form.change({ junction_field })}
          />
          <Fields
            form={form}
            part="junction_ref_field"
            label={t('relation.junctionRefField')}
            of={draft.junction_table}
            fields={junction.data?.field}
            pairedWith={[draft.ref_table ?? '', draft.ref_field]}
            failure={null}
            onChange={(junction_ref_field) => form.change({ junction_ref_field })}
          />
          <TypesDiffer
            pairs={[
              ...pairFields(
                [table.name, ownFields, draft.field],
                [draft.junction_table, junction.data?.field, draft.junction_field],
              ),
              ...pairFields(
                [draft.ref_table, ref.data?.field, draft.ref_field],
                [draft.junction_table, junction.data?.field, draft.junction_ref_field],
              ),
            ]}
          />
        </>
      ) : null}
    </>
  );
}

/** A read that an input waits for. */
interface Read {
  error: Error | null;
  refetch: () => unknown;
}

interface EndTableProps {
  form: RelationForm;
  end: 'ref' | 'junction';
  names: readonly string[] | undefined;
  failure: Read;
}

/** The service and the table of an end. */
function EndTable({ form, end, names = [], failure }: EndTableProps) {
  const t = useText('schema');
  const { draft, services, ownService, isOpen, shownMissing, serviceOf } = form;
  const [serviceId, chosenTable] =
    end === 'ref' ? [draft.ref_service_id, draft.ref_table] : [draft.junction_service_id, draft.junction_table];
  const shownId = serviceId ?? ownService?.id;
  const serviceChoices = services.map(({ id, name, label }) => ({ value: String(id), label: label || name }));
  if (shownId !== undefined && !services.some(({ id }) => id === shownId))
    serviceChoices.push({ value: String(shownId), label: t('relation.unknownService', { id: shownId }) });
  const chooseService = (value: string | null) => {
    const id = value === null || Number(value) === ownService?.id ? null : Number(value);
    if (end === 'ref') form.change({ ref_service_id: id, ref_table: null, ref_field: [''] });
    else form.change({ junction_service_id: id, junction_table: null, junction_field: [''], junction_ref_field: [''] });
  };
  const chooseTable = (name: string | null) =>
    void form.choose(
      end === 'ref'
        ? { ref_table: name, ref_field: [''] }
        : { junction_table: name, junction_field: [''], junction_ref_field: [''] },
    );
  return (
    <>
      <SearchSelect
        {...selectProps}
        disabled={!isOpen}
        label={t(end === 'ref' ? 'relation.refService' : 'relation.junctionService')}
        placeholder={t('relation.chooseService')}
        nothingFoundMessage={t('relation.noMatch')}
        data={serviceChoices}
        value={shownId === undefined ? null : String(shownId)}
        onChange={chooseService}
        allowDeselect={false}
      />
      <div className={classes.fields}>
        <SearchSelect
          {...selectProps}
          disabled={!isOpen}
          label={t(end === 'ref' ? 'relation.refTable' : 'relation.junctionTable')}
          placeholder={t('relation.chooseTable')}
          nothingFoundMessage={t('relation.noMatch')}
          data={withChosen(names, chosenTable)}
          value={chosenTable}
          onChange={chooseTable}
          clearable
          withAsterisk={isOpen}
          aria-required={isOpen || undefined}
          error={shownMissing.has(end === 'ref' ? 'ref_table' : 'junction_table') ? t('relation.choose') : undefined}
        />
        <ReadFailure
          read={failure}
          words={(message) => t('relation.tablesFailed', { service: serviceOf(serviceId) ?? '', message })}
        />
      </div>
    </>
  );
}

interface FieldsProps {
  form: RelationForm;
  part: FieldsPart;
  label: string;
  /** The table they are fields of. */
  of: string | null;
  fields: readonly FieldDescription[] | undefined;
  /** What they are joined with, where the help says it. */
  pairedWith: [table: string, fields: readonly string[]] | null;
  /** The query of the fields, where this place shows its failure. */
  failure: Read | null;
  onChange: (names: string[]) => void;
}

/** The fields of one side, in the order they are joined: most often one. */
function Fields({ form, part, label, of, fields = [], pairedWith, failure, onChange }: FieldsProps) {
  const t = useText('schema');
  const { draft, isOpen, shownMissing } = form;
  const names = draft[part];
  const typeOf = new Map(fields.map(({ name, db_type, type }) => [name, db_type ?? type]));
  // The value of an aggregate is not a record's own.
  const choices = fields.flatMap(({ name, is_aggregate }) => (is_aggregate ? [] : [name]));
  const labelAt = (index: number) => (index === 0 ? label : t('relation.nth', { label, number: index + 1 }));
  const replaceAt = (index: number, value: string) => onChange(names.with(index, value));
  const help = (index: number) => {
    if (of === null || !isOpen) return undefined;
    const [table, others] = pairedWith ?? [];
    if (part === 'field' || !others?.[index]) return t('relation.help.field', { table: of });
    return t(`relation.help.${part}`, { table: of, other: `${table}.${others[index]}` });
  };
  return (
    <div className={classes.fields}>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a pair is known by.
        <div key={index} className={classes.row}>
          <SearchSelect
            {...selectProps}
            label={labelAt(index)}
            description={help(index)}
            placeholder={t(of === null ? 'relation.chooseTableFirst' : 'relation.chooseField')}
            nothingFoundMessage={t('relation.noMatch')}
            data={withChosen(choices, name)}
            value={name === '' ? null : name}
            onChange={(value) => replaceAt(index, value ?? '')}
            disabled={!isOpen || of === null}
            withAsterisk={isOpen}
            aria-required={isOpen || undefined}
            error={shownMissing.has(part) && name === '' ? t('relation.choose') : undefined}
            renderOption={({ option }) => (
              <span className={classes.option}>
                {option.label} <span className={classes.fieldType}>{typeOf.get(option.value)}</span>
              </span>
            )}
          />
          {isOpen && index > 0 ? (
            <ActionIcon
              aria-label={t('relation.removePair', { label: labelAt(index) })}
              onClick={() => form.removePair(part, index)}
            >
              <IconX className={classes.icon} aria-hidden />
            </ActionIcon>
          ) : null}
        </div>
      ))}
      {isOpen && (part === 'ref_field' || part === 'junction_field') && !names.includes('') ? (
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconPlus className={classes.icon} aria-hidden />}
          className={classes.add!}
          onClick={() => form.addPair(part)}
        >
          {t('relation.addPair')}
        </Button>
      ) : null}
      {failure ? (
        <ReadFailure read={failure} words={(message) => t('relation.fieldsFailed', { table: of ?? '', message })} />
      ) : null}
    </div>
  );
}

/** Why there is nothing to choose from, and a button to try again. */
function ReadFailure({ read, words }: { read: Read; words: (message: string) => string }) {
  const t = useText('common');
  if (!read.error) return null;
  return (
    <div className={classes.failure} role="alert">
      {words(describeError(read.error).messages.join(' '))}
      <Button variant="default" size="compact-xs" onClick={() => void read.refetch()}>
        {t('retry')}
      </Button>
    </div>
  );
}

/** What is chosen stays among the choices, known or not. */
const withChosen = (choices: readonly string[], chosen: string | null): string[] =>
  chosen === null || chosen === '' || choices.includes(chosen) ? [...choices] : [...choices, chosen];

type Side = [table: string | null, fields: readonly FieldDescription[] | undefined, names: readonly string[]];
interface FieldOf {
  table: string;
  field: FieldDescription;
}

/** The fields that are joined, where both are known. */
function pairFields(near: Side, far: Side): [FieldOf, FieldOf][] {
  const at = ([table, fields, names]: Side, index: number): FieldOf | undefined => {
    const field = fields?.find(({ name }) => name === names[index]);
    return table === null || !field ? undefined : { table, field };
  };
  return near[2].flatMap((_, index): [FieldOf, FieldOf][] => {
    const [one, other] = [at(near, index), at(far, index)];
    return one && other ? [[one, other]] : [];
  });
}

/** Warns of joined fields whose values cannot be equal; the server takes them. */
function TypesDiffer({ pairs }: { pairs: [FieldOf, FieldOf][] }) {
  const t = useText('schema');
  const nameOf = ({ table, field }: FieldOf) => `${table}.${field.name}`;
  return pairs
    .filter(([near, far]) => !canMatch(near.field, far.field))
    .map(([near, far]) => (
      <p key={`${nameOf(near)} ${nameOf(far)}`} className={classes.warning} role="status">
        {t('relation.typesDiffer', {
          near: nameOf(near),
          nearType: near.field.type,
          far: nameOf(far),
          farType: far.field.type,
        })}
      </p>
    ));
}
