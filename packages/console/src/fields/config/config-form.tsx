// The form a service type's config_schema describes: schema.ts reads the description, the rest draws what inputs/ has no input for.
import { Checkbox, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { FieldDescriptor, PickValue } from '@sluice/contract';
import type { ReactNode } from 'react';
import { cellText } from '../../list/column.tsx';
import { useText } from '../../text/index.ts';
import { SecretInput } from '../../ui/index.ts';
import { EventInput } from '../inputs/event-input.tsx';
import { labelProps } from '../inputs/field.ts';
import classes from '../inputs/fields.module.css';
import { KeyValues } from '../inputs/key-values.tsx';
import { MultiPick } from '../inputs/multi-pick.tsx';
import { type Pick, type PickOption, PickSelect } from '../inputs/pick-select.tsx';
import { StringList } from '../inputs/string-list.tsx';
import { TextFile } from '../inputs/text-file.tsx';
import { VerbPicker } from '../inputs/verb-picker.tsx';
import { EngineNotice } from '../script/engine-notice.tsx';
import { ScriptContent } from '../script/script-content.tsx';
import { Description } from './description.tsx';
import { RowTable } from './row-table.tsx';
import {
  type Config,
  configOf,
  isRequired,
  type Kind,
  kindOf,
  labelOf,
  setFieldValue,
  usesEvents,
  visibleFields,
} from './schema.ts';
import { useEventNames, useReferences } from './sources.ts';

interface ConfigFormProps {
  schema: readonly FieldDescriptor[];
  /** The config on the wire's terms; the form hands back a changed copy. */
  value: Config;
  onChange: (config: Config) => void;
  /** The config as it was loaded, which tells the secrets that are stored; null for a new service. */
  stored: Config | null;
  /** Messages by field name. */
  errors?: Readonly<Record<string, ReactNode>>;
  disabled?: boolean;
  /** The service the config belongs to: its type decides how a script is edited, its name where it is cached. */
  service: { type: string; name: string };
  /** Title of notices about what could not be loaded. */
  title: string;
}

/** The form a `config_schema` describes, each field rendered by its kind (OPEN-144). */
export function ConfigForm({
  schema,
  value,
  onChange,
  stored,
  errors = {},
  disabled,
  service,
  title,
}: ConfigFormProps) {
  const events = useEventNames(usesEvents(schema), title);
  return (
    <Stack gap="md" className={classes.form}>
      {visibleFields(schema).map((field) => {
        const Input = inputs[kindOf(field, stored?.[field.name])];
        return (
          <Input
            key={field.name}
            field={field}
            label={labelOf(field)}
            description={field.description ? <Description text={field.description} /> : undefined}
            error={errors[field.name]}
            required={isRequired(field, value)}
            disabled={disabled ?? false}
            value={value[field.name]}
            stored={stored?.[field.name]}
            onChange={(next) => onChange(setFieldValue(schema, value, field.name, next))}
            events={events}
            config={value}
            onConfig={onChange}
            service={service}
            title={title}
          />
        );
      })}
    </Stack>
  );
}

interface ConfigInputProps {
  field: FieldDescriptor;
  label: string;
  description: ReactNode;
  error: ReactNode;
  required: boolean;
  disabled: boolean;
  value: unknown;
  stored: unknown;
  onChange: (value: unknown) => void;
  events: readonly string[];
  config: Config;
  onConfig: (config: Config) => void;
  service: { type: string; name: string };
  title: string;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The default of a field, shown while it is empty. */
const placeholder = (field: FieldDescriptor) =>
  typeof field.default === 'string' || typeof field.default === 'number' ? { placeholder: String(field.default) } : {};

function StringField(props: ConfigInputProps) {
  return (
    <TextInput
      {...labelProps(props)}
      {...placeholder(props.field)}
      value={cellText(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function SecretField(props: ConfigInputProps) {
  return <SecretInput {...labelProps(props)} value={cellText(props.value)} onChange={props.onChange} />;
}

function IntegerField(props: ConfigInputProps) {
  return (
    <NumberInput
      {...labelProps(props)}
      {...placeholder(props.field)}
      classNames={{ wrapper: classes.number ?? '' }}
      value={props.value as number | string}
      onChange={(number) => props.onChange(number === '' ? null : number)}
      allowDecimal={false}
      hideControls
    />
  );
}

function BooleanField({ label, description, error, disabled, value, onChange }: ConfigInputProps) {
  return (
    <Checkbox
      label={label}
      description={description}
      error={error}
      disabled={disabled}
      checked={Boolean(value)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function PickField(props: ConfigInputProps) {
  return (
    <PickSelect
      {...labelProps(props)}
      options={(props.field.values ?? []) as PickOption[]}
      value={(props.value ?? null) as Pick}
      onChange={props.onChange}
    />
  );
}

function MultiPickField(props: ConfigInputProps) {
  const { columns, legend, values } = props.field;
  return (
    <MultiPick
      {...labelProps(props)}
      {...(columns ? { columns } : {})}
      {...(legend ? { legend } : {})}
      options={(values ?? []) as PickValue[]}
      value={asList(props.value) as PickValue['name'][]}
      onChange={props.onChange}
    />
  );
}

function ReferenceField(props: ConfigInputProps) {
  const t = useText('fields');
  const { options, isError } = useReferences(props.field);
  return (
    <PickSelect
      {...labelProps(props)}
      error={props.error ?? (isError ? t('reference.failed') : undefined)}
      options={options}
      value={(props.value ?? null) as Pick}
      onChange={props.onChange}
    />
  );
}

function StringsField(props: ConfigInputProps) {
  return <StringList {...labelProps(props)} value={asList(props.value).map(cellText)} onChange={props.onChange} />;
}

function RowsField(props: ConfigInputProps) {
  const items = Array.isArray(props.field.items) ? props.field.items : [];
  return (
    <RowTable
      {...labelProps(props)}
      items={items}
      events={props.events}
      value={asList(props.value).map(configOf)}
      onChange={props.onChange}
    />
  );
}

function ObjectField(props: ConfigInputProps) {
  const { key, value } = props.field.object ?? {};
  return (
    <KeyValues
      {...labelProps(props)}
      path={`config.${props.field.name}`}
      {...(key?.label ? { keyLabel: key.label } : {})}
      {...(value?.label ? { valueLabel: value.label } : {})}
      value={mapOf(props.value)}
      onChange={props.onChange}
    />
  );
}

// KeyValues knows its own map by identity: an empty value has to be the same one each time.
const emptyMap: Config = {};
const mapOf = (value: unknown): Config =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Config) : emptyMap;

function CertificateField(props: ConfigInputProps) {
  const t = useText('fields');
  return (
    <div>
      <Textarea
        {...labelProps(props)}
        value={cellText(props.value)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: classes.mono ?? '' }}
      />
      <div className={classes.below}>
        <TextFile label={t('file.choose')} disabled={props.disabled} onText={props.onChange} />
      </div>
    </div>
  );
}

function EventField(props: ConfigInputProps) {
  return (
    <EventInput {...labelProps(props)} events={props.events} value={cellText(props.value)} onChange={props.onChange} />
  );
}

function VerbField(props: ConfigInputProps) {
  return <VerbPicker {...labelProps(props)} value={Number(props.value) || 0} onChange={props.onChange} />;
}

function CodeField(props: ConfigInputProps) {
  return (
    <>
      <EngineNotice type={props.service.type} />
      <ScriptContent
        {...labelProps(props)}
        value={cellText(props.value)}
        onChange={props.onChange}
        config={props.config}
        onConfig={props.onConfig}
        service={props.service}
        title={props.title}
      />
    </>
  );
}

/** One component for each kind of field. */
const inputs: Record<Kind, (props: ConfigInputProps) => ReactNode> = {
  string: StringField,
  password: SecretField,
  integer: IntegerField,
  boolean: BooleanField,
  picklist: PickField,
  grouped_picklist: PickField,
  multi_picklist: MultiPickField,
  reference: ReferenceField,
  strings: StringsField,
  rows: RowsField,
  object: ObjectField,
  file_certificate: CertificateField,
  event_picklist: EventField,
  verb_mask: VerbField,
  code: CodeField,
};
