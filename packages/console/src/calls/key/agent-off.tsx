import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useConsoleSettings } from '../../api/index.ts';
import { useText } from '../../text/index.ts';

/** Whether the instance has no address for agents; what another one has is not known here. */
export function useAgentsOff(): boolean {
  const settings = useConsoleSettings();
  return settings.api_key !== null && !settings.mcp;
}

/** Says so, and how that is changed. */
export function AgentsOff() {
  const t = useText('calls');
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugConnectedX aria-hidden />} role="note">
      {t('agent.off')}
    </Alert>
  );
}
