import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { loadConsoleSettings } from '../api/console-settings.ts';
import { forgetFirstAnswers } from '../api/first-answer.ts';
import { followOtherTabs, restoreSession } from '../api/session.ts';
import { Bare } from '../frame/bare.tsx';
import { useText } from '../text/index.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Connect } from './connect.tsx';
import { preloadFirstPage } from './pages.ts';

export type Stage = { name: 'loading' | 'connect' | 'ready' } | { name: 'failed'; error: unknown };

let isWatching = false;
const watchOtherTabs = () => {
  if (isWatching) return;
  isWatching = true;
  followOtherTabs();
};

/** Finds out where the instance is and who is signed in, and meanwhile loads the page that will be shown. */
export const start = async (): Promise<Stage> => {
  try {
    if (!(await loadConsoleSettings())) return { name: 'connect' };
    const session = restoreSession();
    const firstPage = preloadFirstPage(location);
    await session;
    watchOtherTabs();
    await firstPage;
    forgetFirstAnswers();
    return { name: 'ready' };
  } catch (error) {
    return { name: 'failed', error };
  }
};

export interface StartProps {
  /** A start that has begun, and how far it is by now; without one it begins here. */
  begun?: { start: Promise<Stage>; stage: Stage } | undefined;
  children: ReactNode;
}

/** Before any page: where the instance is, who is signed in, what they may see. */
export const Start = ({ begun, children }: StartProps) => {
  const t = useText('session');
  const common = useText('common');
  const [stage, setStage] = useState<Stage>(begun?.stage ?? { name: 'loading' });
  const run = useCallback(async () => setStage(await start()), []);
  useEffect(() => {
    if (begun) void begun.start.then(setStage);
    else void run();
  }, [run, begun]);
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
