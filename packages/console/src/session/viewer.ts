import { useConsoleSettings } from '../api/console-settings.ts';
import { useEnvironment, useSession } from '../api/session-state.ts';
import type { Viewer } from './guards.ts';

/** What guards and links depend on; follows every change. */
export const useViewer = (): Viewer => {
  const session = useSession();
  const environment = useEnvironment();
  const { setup_needed: isSetupNeeded } = useConsoleSettings();
  return { session, environment, isSetupNeeded };
};
