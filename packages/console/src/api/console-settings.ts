import type { ConsoleSettings } from '@sluice/contract';
import { text } from '../text/index.ts';
import { createStore, useStore } from '../ui/store.ts';
import { ApiError } from './errors.ts';
import { connection } from './send.ts';

const instanceKey = 'sluice.instance';

const noSettings: ConsoleSettings = {
  api_key: null,
  base_url: '',
  setup_needed: false,
  version: '',
  links: {},
  mcp: false,
  graphql: false,
};

export const consoleSettings = createStore<ConsoleSettings>(noSettings);

/** The settings the console reads before anyone signs in: links, version, whether set-up is needed. */
export const useConsoleSettings = (): ConsoleSettings => useStore(consoleSettings);

const isSettings = (value: unknown): value is ConsoleSettings =>
  typeof value === 'object' && value !== null && 'api_key' in value && 'base_url' in value;

/** The settings that came with the page. Taken once: a later start asks the instance how things are by then. */
const takeInlineSettings = (): ConsoleSettings | null => {
  const element = document.getElementById('console-settings');
  element?.remove();
  try {
    const settings: unknown = JSON.parse(element?.textContent ?? 'null');
    return isSettings(settings) ? settings : null;
  } catch {
    // A page that no instance has filled.
    return null;
  }
};

const readSettings = async (): Promise<ConsoleSettings | null> => {
  const inline = takeInlineSettings();
  if (inline) return inline;
  let response: Response;
  try {
    response = await fetch('/console.json', { cache: 'no-store' });
  } catch (cause) {
    throw new ApiError({ status: 0, code: 0, message: text('common:unreachable'), cause });
  }
  // Served by something that is not an instance, the address answers 404 or the page itself.
  const settings: unknown = response.ok ? await response.json().catch(() => null) : null;
  return isSettings(settings) ? settings : null;
};

/** The instance chosen on this device, for a console that is not served by one. */
const rememberedInstance = (): { base: string; apiKey: string } | null => {
  try {
    const value = JSON.parse(localStorage.getItem(instanceKey) ?? 'null');
    return typeof value?.base === 'string' && typeof value?.apiKey === 'string' ? value : null;
  } catch {
    return null;
  }
};

/** Takes the settings of the page, or reads `/console.json`, uncached. False when the address and key of a foreign instance must be asked for. */
export const loadConsoleSettings = async (): Promise<boolean> => {
  const settings = await readSettings();
  consoleSettings.set({ ...noSettings, ...settings, links: settings?.links ?? {} });
  if (settings?.api_key) {
    connection.set({ base: settings.base_url.replace(/\/+$/, ''), apiKey: settings.api_key });
    return true;
  }
  const remembered = rememberedInstance();
  if (remembered) connection.set(remembered);
  return remembered !== null;
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
export const hasRememberedInstance = (): boolean =>
  consoleSettings.get().api_key === null && rememberedInstance() !== null;
