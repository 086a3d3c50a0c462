import { TextInput } from '@mantine/core';
import { useEditor } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { FailedLine } from '../../ui/index.ts';
import type { RoleForm } from './record.ts';
import classes from './roles.module.css';
import { useBinding, useHasDirectory } from './sources.ts';

/** The entry of a directory this role is bound to; shown only where people sign in by one (ROL-007, ROL-008). */
export function BindingInput() {
  const t = useText('roles');
  const { form, id } = useEditor<RoleForm>();
  const hasDirectory = useHasDirectory();
  const { dn, isLoading, error, retry } = useBinding(id, hasDirectory);
  if (!hasDirectory) return null;
  return (
    <TextInput
      label={t('basic.dn')}
      description={t('basic.dnHint')}
      name="dn"
      value={form.values.dn ?? dn}
      disabled={isLoading || (error !== null && form.values.dn === undefined)}
      error={form.errors.dn ?? (error ? <FailedLine onRetry={retry}>{t('basic.dnFailed')}</FailedLine> : undefined)}
      onChange={(event) => form.setFieldValue('dn', event.currentTarget.value)}
      classNames={{ input: classes.mono ?? '' }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
