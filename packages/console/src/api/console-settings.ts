import type { ConsoleSettings } from '@sluice/contract';
import { text } from '../text/index.ts';
import { createStore, useStore } from '../ui/store.ts';
import { ApiError } from './errors.ts';
import { connection } from './send.ts';

const instanceKey = 'sluice.instance';

const unknown: ConsoleSettings = { api_key: null, base_url: '', setup_needed: false, version: '', links: {} };

export const consoleSettings = createStore<ConsoleSettings>(unknown);

/** What the server told the console before anyone signed in: links, version, whether set-up is needed. */
export const useConsoleSettings = (): ConsoleSettings => useStore(consoleSettings);

const isSettings = (value: unknown): value is ConsoleSettings =>
  typeof value === 'object' && value !== null && 'api_key' in value && 'base_url' in value;

const read = async (): Promise<ConsoleSettings | null> => {
  let answer: Response;
  try {
    answer = await fetch('/console.json', { cache: 'no-store' });
  } catch (cause) {
    throw new ApiError({ status: 0, code: 0, message: text('common:unreachable'), cause });
  }
  // Served by something that is not an instance, the address answers 404 or the page itself.
  const told: unknown = answer.ok ? await answer.json().catch(() => null) : null;
  return isSettings(told) ? told : null;
};

/** The instance chosen on this device, for a console that is not served by one. */
const remembered = (): { base: string; apiKey: string } | null => {
  try {
    const value = JSON.parse(localStorage.getItem(instanceKey) ?? 'null');
    return typeof value?.base === 'string' && typeof value?.apiKey === 'string' ? value : null;
  } catch {
    return null;
  }
};

/** Reads `/console.json`, uncached. False when the address and key of a foreign instance must be asked for. */
export const loadConsoleSettings = async (): Promise<boolean> => {
  const told = await read();
  consoleSettings.set({ ...unknown, ...told, links: told?.links ?? {} });
  if (told?.api_key) {
    connection.set({ base: told.base_url.replace(/\/+$/, ''), apiKey: told.api_key });
    return true;
  }
  const chosen = remembered();
  if (chosen) connection.set(chosen);
  return chosen !== null;
};

/** Keeps the address (without `/api/v2`) and the key of a foreign instance on this device. */
export const rememberInstance = (address: string, apiKey: string): void => {
  const base = address
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v2$/, '');
  localStorage.setItem(instanceKey, JSON.stringify({ base, apiKey: apiKey.trim() }));
  connection.set({ base, apiKey: apiKey.trim() });
};

export const forgetInstance = (): void => localStorage.removeItem(instanceKey);
export const hasRememberedInstance = (): boolean => consoleSettings.get().api_key === null && remembered() !== null;
