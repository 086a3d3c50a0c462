import { useMemo } from 'react';
import { useEditor, useField } from '../../editor/index.ts';
import { cellText, type Row } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { FailedLine, SearchSelect } from '../../ui/index.ts';
import type { Role } from './sources.ts';

/** Of ten thousand roles so many are rendered; typing finds the others. */
const maxOptions = 50;

interface RolePickerProps {
  roles: readonly Role[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** The default role, chosen by typing a part of its name (OPEN-103). */
export function RolePicker({ roles, error, retry }: RolePickerProps) {
  const t = useText('apps');
  const { record } = useEditor();
  const { value, onChange, error: fieldError, disabled } = useField<number | null>('role_id');
  const data = useMemo(() => {
    const choices = (roles ?? []).map(({ id, name, is_active }) => ({
      value: String(id),
      label: is_active ? name : t('role.inactive', { name }),
    }));
    if (value === null || choices.some((choice) => choice.value === String(value))) return choices;
    // Not read yet, or not among those read: what is stored is shown all the same.
    const stored = record?.role_by_role_id as Row | null | undefined;
    const name = stored?.id === value ? cellText(stored.name) : t('role.unknown', { id: value });
    return [{ value: String(value), label: name }, ...choices];
  }, [roles, record, value, t]);
  return (
    <SearchSelect
      label={t('role.label')}
      description={t('role.noneHint')}
      placeholder={t('role.none')}
      error={fieldError ?? (error ? <FailedLine onRetry={retry}>{t('role.failed')}</FailedLine> : undefined)}
      disabled={disabled}
      data={data}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      clearable
      limit={maxOptions}
      nothingFoundMessage={t('role.noMatch')}
    />
  );
}
