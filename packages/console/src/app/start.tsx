import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { loadConsoleSettings } from '../api/console-settings.ts';
import { followOtherTabs, restoreSession } from '../api/session.ts';
import { Bare } from '../frame/bare.tsx';
import { useText } from '../text/index.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Connect } from './connect.tsx';

type Stage = { name: 'loading' | 'connect' | 'ready' } | { name: 'failed'; error: unknown };

let isWatching = false;
const watchOtherTabs = () => {
  if (isWatching) return;
  isWatching = true;
  followOtherTabs();
};

const start = async (): Promise<Stage> => {
  try {
    if (!(await loadConsoleSettings())) return { name: 'connect' };
    await restoreSession();
    watchOtherTabs();
    return { name: 'ready' };
  } catch (error) {
    return { name: 'failed', error };
  }
};

/** Before any page: where the instance is, who is signed in, what they may see. */
export const Start = ({ children }: { children: ReactNode }) => {
  const t = useText('session');
  const common = useText('common');
  const [stage, setStage] = useState<Stage>({ name: 'loading' });
  const run = useCallback(async () => setStage(await start()), []);
  useEffect(() => {
    void run();
  }, [run]);
  if (stage.name === 'ready') return children;
  if (stage.name === 'connect') return <Connect onConnected={run} />;
  return (
    <Bare>
      <VisuallyHidden component="h1">{common('product')}</VisuallyHidden>
      {stage.name === 'failed' ? (
        <Failed error={stage.error} title={t('start.failedTitle')} onRetry={run} />
      ) : (
        <Loading shape="form" count={3} />
      )}
    </Bare>
  );
};
