// Says where scripts of a language do not run here, or run without being confined.
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useText } from '../../text/index.ts';
import { isRunnable, useScriptTypes } from './sources.ts';

/** Nothing while that is not known, and for those who may not know it. */
export function EngineNotice({ type }: { type: string }) {
  const t = useText('fields');
  const { data: types = [] } = useScriptTypes();
  const chosen = types.find(({ name }) => name === type);
  if (!chosen || (isRunnable(chosen) && chosen.confinement !== 'none')) return null;
  return (
    <Alert color="yellow" variant="light" p="xs" icon={<IconAlertTriangle aria-hidden />} role="status">
      {isRunnable(chosen)
        ? t('script.unconfined', { type: chosen.label })
        : `${t('script.missing', { type: chosen.label })} ${chosen.missing ?? ''}`}
    </Alert>
  );
}
