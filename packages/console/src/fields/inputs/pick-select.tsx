import type { PickValue } from '@sluice/contract';
import { useMemo } from 'react';
import { useText } from '../../text/index.ts';
import { SearchSelect } from '../../ui/index.ts';
import type { FieldProps } from './field.ts';

/** What a picklist stores: a name, which may be a number or null (contract/service-types.md §2). */
export type Pick = string | number | null;

export type PickOption = PickValue | { label: string; name: string; values: PickValue[] };

interface PickSelectProps extends FieldProps<Pick> {
  options: readonly PickOption[];
  placeholder?: string;
  isBare?: boolean;
}

/**
 * One of several choices, plain or in groups. A stored value that is not among them stays, shown as it is. Where an
 * empty choice is on offer (a null or blank name) it is the placeholder, and choosing it is clearing.
 */
export function PickSelect(props: PickSelectProps) {
  const { label, description, error, required, disabled, value, onChange, options, placeholder, isBare } = props;
  const t = useText('fields');
  const { data, values } = useMemo(() => toOptions(options, value), [options, value]);
  const emptyOption = options.find((option) => !isGroup(option) && isBlank(option.name));
  const selectedIndex = values.findIndex((pick) => isSamePick(pick, value));
  return (
    <SearchSelect
      {...(isBare ? { 'aria-label': label } : { label, description })}
      error={error}
      required={required ?? false}
      disabled={disabled ?? false}
      data={data}
      value={selectedIndex < 0 ? null : String(selectedIndex)}
      onChange={(key) => onChange(key === null ? ((emptyOption?.name ?? null) as Pick) : (values[Number(key)] ?? null))}
      placeholder={placeholder ?? (emptyOption?.label || t('selectOne'))}
      clearable={!required && !isBare}
      searchable={values.length > 7}
    />
  );
}

const isGroup = (option: PickOption): option is { label: string; name: string; values: PickValue[] } =>
  Array.isArray(option.values);
const isBlank = (name: unknown) => name === null || name === undefined || name === '';
// Servers answer some stored ids as text: 5 and "5" are the same choice.
const isSamePick = (a: Pick, b: unknown) => a === b || (!isBlank(a) && !isBlank(b) && String(a) === String(b));

function toOptions(options: readonly PickOption[], value: Pick) {
  const values: Pick[] = [];
  const item = (pick: { label: string; name: Pick }) => {
    values.push(pick.name);
    return { value: String(values.length - 1), label: pick.label || String(pick.name) };
  };
  const data: (ReturnType<typeof item> | { group: string; items: ReturnType<typeof item>[] })[] = options
    .filter((option) => isGroup(option) || !isBlank(option.name))
    .map((option) =>
      isGroup(option)
        ? { group: option.label || option.name, items: option.values.map(item) }
        : item(option as { label: string; name: Pick }),
    );
  if (!isBlank(value) && !values.some((pick) => isSamePick(pick, value)))
    data.push(item({ label: String(value), name: value }));
  return { data, values };
}
