import { useState } from 'react';
import { useEditor, useField } from '../../editor/index.ts';
import { cellText, type Row } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { FailedLine, SearchSelect } from '../../ui/index.ts';
import { type ChoiceKind, useChoices } from './sources.ts';

/** Of ten thousand so many are rendered; typing finds the others. */
const maxOptions = 50;

/** The person, role or service a limit is about, chosen by typing a part of its name. */
export function ChoiceInput({ kind }: { kind: ChoiceKind }) {
  const t = useText('limits');
  const field = `${kind}_id` as const;
  const { record } = useEditor();
  const { value, onChange, error: fieldError, disabled } = useField<number | null>(field);
  const [typed, setTyped] = useState('');
  const { choices, error, retry } = useChoices(kind, typed);
  const data = choices.map(({ id, name, note }) => ({
    value: String(id),
    label: note === '' ? name : t('fields.choice', { name, note }),
  }));
  if (value !== null && !data.some((choice) => choice.value === String(value)))
    data.unshift({ value: String(value), label: storedName(record, kind, value) });
  return (
    <SearchSelect
      label={t(`fields.${kind}`)}
      placeholder={t('fields.select')}
      required
      error={fieldError ?? (error ? <FailedLine onRetry={retry}>{t('fields.choicesFailed')}</FailedLine> : undefined)}
      disabled={disabled}
      data={data}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      onSearchChange={setTyped}
      clearable
      limit={maxOptions}
      nothingFoundMessage={t('fields.noMatch')}
    />
  );
}

/** What is stored is shown although it is not among the choices that were read. */
function storedName(record: Row | null, kind: ChoiceKind, id: number): string {
  const stored = record?.[`${kind}_by_${kind}_id`] as Row | null | undefined;
  return stored?.id === id ? cellText(stored.name) : `#${id}`;
}
