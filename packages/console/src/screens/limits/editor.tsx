import { Alert } from '@mantine/core';
import { isLimitType, limitPeriods, limitTypes, type Verb } from '@sluice/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { EditorScreen, Section, useEditor, useField } from '../../editor/index.ts';
import { PickSelect, SwitchInput, TextAreaInput, TextInput } from '../../fields/index.ts';
import { text, useText } from '../../text/index.ts';
import { notify, SearchSelect } from '../../ui/index.ts';
import { ChoiceInput } from './choice-input.tsx';
import { CountersSection } from './counters-section.tsx';
import { EndpointInput, useServiceName } from './endpoint-input.tsx';
import { PreviewSection } from './preview-section.tsx';
import {
  countsSignIns,
  emptyLimit,
  firstProblem,
  hasField,
  type LimitForm,
  limitRelations,
  toForm,
  toRecord,
} from './record.ts';
import { type ChoiceKind, permissionTexts, useChoices, useCounterRefresh } from './sources.ts';
import { periodName, typeName } from './words.ts';

/** LIM-015: in an order of their own (OPEN-058). */
const offeredVerbs: readonly Verb[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
/** What stands for no verb among the choices. */
const anyVerb = 'any';

/** Create or edit a limit (LIM-005). `id` is null for a new one. */
export function LimitEditor({ id }: { id: string | null }) {
  const t = useText('limits');
  const refreshCounters = useCounterRefresh();
  const choices = {
    user_id: useChoices('user').choices,
    role_id: useChoices('role').choices,
    service_id: useChoices('service').choices,
  };
  const labels = {
    name: t('fields.name'),
    description: t('fields.description'),
    type: t('fields.type'),
    service_id: t('fields.service'),
    user_id: t('fields.user'),
    endpoint: t('fields.endpoint'),
    role_id: t('fields.role'),
    rate: t('fields.rate'),
    period: t('fields.period'),
    verb: t('fields.verb'),
    is_active: t('fields.active'),
  };
  const describeValue = (field: string, value: unknown): string | undefined => {
    if (field === 'type') return typeName(value);
    if (field === 'period') return periodName(value);
    if (field === 'verb') return value === null ? t('fields.anyVerb') : String(value);
    const known = Object.hasOwn(choices, field) ? choices[field as keyof typeof choices] : undefined;
    return known?.find((choice) => choice.id === value)?.name;
  };
  return (
    <EditorScreen<LimitForm>
      id={id}
      texts="limits"
      resource="limit"
      related={limitRelations}
      base="/limits"
      permissionTexts={permissionTexts}
      emptyForm={emptyLimit}
      toForm={toForm}
      toRecord={toRecord}
      toDraft={(form) => form}
      labels={labels}
      describeValue={describeValue}
      validate={validate}
      onInvalid={(errors) => notify.error(t('checks.title'), String(Object.values(errors)[0]))}
      onSaved={() => void refreshCounters()}
      closesOnSave
    >
      <WhatIsLimited />
      <HowMany />
      <PreviewSection />
      <CountersSection />
    </EditorScreen>
  );
}

/** What is wrong before anything is sent: the first thing found, as the documents have it (LIM-026). */
function validate(form: LimitForm): Record<string, string> {
  const found = firstProblem(form);
  if (!found) return {};
  const { field, problem } = found;
  if (problem !== 'missing') return { [field]: text(`limits:checks.${problem}`) };
  const label = text(`limits:fields.${field.replace('_id', '') as ChoiceKind | 'endpoint'}`);
  return { [field]: text('editor:required', { label }) };
}

/** What the limit is called, and which calls it counts: its fields appear with the type (OPEN-183, OPEN-184). */
function WhatIsLimited() {
  const t = useText('limits');
  const { form } = useEditor<LimitForm>();
  const { value: type, onChange, error, disabled } = useField<string | null>('type');
  const serviceName = useServiceName();
  const has = (field: Parameters<typeof hasField>[1]) => hasField(type, field);
  return (
    <Section title={t('what.title')} text={t('what.hint')}>
      <TextInput name="name" label={t('fields.name')} required />
      <TextAreaInput name="description" label={t('fields.description')} />
      <PickSelect
        label={t('fields.type')}
        description={isLimitType(type) ? t(`types.${type}.hint`) : t('fields.typeHint')}
        placeholder={t('fields.select')}
        required
        error={error}
        disabled={disabled}
        value={type}
        options={Object.keys(limitTypes).map((name) => ({ name, label: typeName(name) }))}
        onChange={(name) => onChange(name as string | null)}
      />
      {has('service_id') ? <ChoiceInput kind="service" /> : null}
      {has('user_id') ? <ChoiceInput kind="user" /> : null}
      {has('endpoint') ? <EndpointInput key={form.values.service_id} /> : null}
      {has('role_id') ? <ChoiceInput kind="role" /> : null}
      {countsSignIns(type, serviceName) ? (
        <Alert variant="light" p="xs" icon={<IconInfoCircle aria-hidden />} role="note">
          {t('what.signIns')}
        </Alert>
      ) : null}
    </Section>
  );
}

/** How many calls a period may have, of which verb, and whether the limit counts. */
function HowMany() {
  const t = useText('limits');
  const period = useField<string | null>('period');
  const verb = useField<string | null>('verb');
  return (
    <Section title={t('rate.title')} text={t('rate.hint')}>
      <TextInput name="rate" label={t('fields.rate')} description={t('fields.rateHint')} required />
      <PickSelect
        label={t('fields.period')}
        description={t('fields.periodHint')}
        placeholder={t('fields.select')}
        required
        {...period}
        options={Object.keys(limitPeriods).map((name) => ({ name, label: periodName(name) }))}
        onChange={(name) => period.onChange(name as string | null)}
      />
      <SearchSelect
        label={t('fields.verb')}
        description={t('fields.verbHint')}
        error={verb.error}
        disabled={verb.disabled}
        data={[{ value: anyVerb, label: t('fields.anyVerb') }, ...offeredVerbs]}
        value={verb.value ?? anyVerb}
        onChange={(name) => verb.onChange(name === anyVerb ? null : name)}
        searchable={false}
        allowDeselect={false}
      />
      <SwitchInput name="is_active" label={t('fields.active')} description={t('fields.activeHint')} />
    </Section>
  );
}
