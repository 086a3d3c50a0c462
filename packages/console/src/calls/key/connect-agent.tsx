import { Button, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPlugConnected } from '@tabler/icons-react';
import { agentAddress, listAgentTools } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import classes from '../calls.module.css';
import { CodeChoice } from '../code-choice.tsx';
import { useRun } from '../use-run.ts';
import { type AgentClientId, agentClients } from './agent-config.ts';

/** The configuration that connects an agent with a key, and a try that does what the agent will do first. */
export function ConnectAgent({ apiKey }: { apiKey: string }) {
  const t = useText('calls');
  const [chosen, setChosen] = useLocalStorage<AgentClientId>({
    key: 'sluice.agentClient',
    defaultValue: agentClients[0].id,
    getInitialValueInEffect: false,
  });
  const client = agentClients.find(({ id }) => id === chosen) ?? agentClients[0];
  return (
    <>
      <Title order={3}>{t('agent.connect')}</Title>
      <div>
        <CodeChoice<AgentClientId>
          label={t('agent.client')}
          forms={agentClients}
          value={client.id}
          onChange={setChosen}
          code={client.write({ address: agentAddress(), apiKey })}
          codeLabel={t('agent.codeLabel', { client: client.label })}
        />
        <Text size="xs" c="var(--s-text-soft)" mt="xs">
          {t(`agent.places.${client.id}`)} {client.file === null ? null : t('agent.secret')}
        </Text>
      </div>
      <TestTools apiKey={apiKey} />
    </>
  );
}

function TestTools({ apiKey }: { apiKey: string }) {
  const t = useText('calls');
  const { isRunning, run, ...last } = useRun(async (signal) => ({ tools: await listAgentTools(apiKey, signal) }));
  const outcome = isRunning ? null : last.outcome;
  const count = outcome && 'tools' in outcome ? outcome.tools.length : 0;
  return (
    <div className={classes.run}>
      <div className={classes.runHead}>
        <Button
          variant="default"
          leftSection={<IconPlugConnected className={classes.icon} aria-hidden />}
          loading={isRunning}
          onClick={() => void run()}
        >
          {t('agent.test')}
        </Button>
        <div role="status" className={classes.outcome}>
          {outcome && 'tools' in outcome ? (
            <span className={classes.status} data-refused={count === 0 || undefined}>
              {count === 0 ? t('agent.noTools') : t('agent.tools', { count })}
            </span>
          ) : null}
        </div>
      </div>
      {count > 0 && outcome && 'tools' in outcome ? (
        <Text size="sm" c="var(--s-text-soft)" className={classes.toolNames ?? ''}>
          {outcome.tools.join(', ')}
        </Text>
      ) : null}
      {outcome && 'problem' in outcome ? (
        <Text role="alert" className={classes.problem ?? ''}>
          {outcome.problem}
        </Text>
      ) : null}
    </div>
  );
}
