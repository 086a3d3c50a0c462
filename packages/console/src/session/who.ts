import { useConsoleSettings } from '../api/console-settings.ts';
import { useEnvironment, useSession } from '../api/session-state.ts';
import type { Who } from './guards.ts';

/** All that guards and links depend on, kept current. */
export const useWho = (): Who => {
  const session = useSession();
  const environment = useEnvironment();
  const { setup_needed: isSetupNeeded } = useConsoleSettings();
  return { session, environment, isSetupNeeded };
};
