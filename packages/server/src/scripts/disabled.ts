// Which scripting an operator switched off (SLUICE_SCRIPTS_DISABLED).
import { type Failure, fail, type ScriptTypeName } from '@sluice/contract';
import type { Settings } from '../settings/index.ts';

/** Why scripts of a type may not run; undefined where they may (contract §3). */
export function scriptingRefusal(
  type: ScriptTypeName,
  { scriptsDisabled }: Pick<Settings, 'scriptsDisabled'>,
): Failure | undefined {
  const names = scriptsDisabled.split(',').map((name) => name.trim().toLowerCase());
  if (names.includes('all')) return fail('script.allDisabled');
  if (names.includes(type)) return fail('script.disabled', { type });
  return undefined;
}

export function requireScripting(type: ScriptTypeName, settings: Pick<Settings, 'scriptsDisabled'>): void {
  const refusal = scriptingRefusal(type, settings);
  if (refusal) throw refusal;
}
