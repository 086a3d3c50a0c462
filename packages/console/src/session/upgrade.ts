import type { Environment } from '@sluice/contract';
import { useConsoleSettings } from '../api/console-settings.ts';
import { useEnvironment } from '../api/session-state.ts';

/** The page of plans that an operator set; null with any licence but OPEN SOURCE, which has nothing to be asked for (NAV-051). */
export const upgradeAddress = (
  { platform }: Pick<Environment, 'platform'>,
  links: Record<string, string | null>,
): string | null => (platform?.license === 'OPEN SOURCE' ? (links.upgrade ?? null) : null);

/** As `upgradeAddress`, of this instance. Whatever leads to an upgrade asks here. */
export const useUpgradeAddress = (): string | null => upgradeAddress(useEnvironment(), useConsoleSettings().links);
