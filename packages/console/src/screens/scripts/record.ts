// An event script as its form holds it, and back. Pure.
import { type ScriptTypeName, scriptTypeNames } from '@sluice/contract';
import { scriptConfig } from '../../fields/inputs/script-files.ts';
import type { Row } from '../../list/index.ts';

export interface ScriptForm extends Record<string, unknown> {
  name: string;
  type: string;
  content: string;
  is_active: boolean;
  allow_event_modification: boolean;
  storage_service_id: number | null;
  storage_path: string | null;
  scm_repository: string | null;
  scm_reference: string | null;
  /** How a queued script is run; other keys of the stored one stay. */
  config: Record<string, unknown>;
}

/** The language of a new script (SCR-011). */
const defaultType: ScriptTypeName = 'v8js';

/** Endings of the files that a script is taken from, whatever its language (SCR-018). */
export const acceptedEndings: readonly string[] = ['.js', '.php', '.py', '.txt'];

export const isScriptType = (type: string): type is ScriptTypeName => scriptTypeNames.some((name) => name === type);

export const emptyScript = (name: string): ScriptForm => ({
  name,
  type: defaultType,
  content: '',
  is_active: false,
  allow_event_modification: false,
  storage_service_id: null,
  storage_path: null,
  scm_repository: null,
  scm_reference: null,
  config: {},
});

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function toForm(record: Row): ScriptForm {
  const linked = typeof record.storage_service_id === 'number' ? record.storage_service_id : null;
  return {
    name: String(record.name ?? ''),
    type: String(record.type ?? defaultType),
    // SCR-015: what is linked is read where it lives.
    content: linked === null ? String(record.content ?? '') : '',
    is_active: record.is_active === true,
    allow_event_modification: record.allow_event_modification === true,
    storage_service_id: linked,
    storage_path: textOrNull(record.storage_path),
    scm_repository: textOrNull(record.scm_repository),
    scm_reference: textOrNull(record.scm_reference),
    config: configOf(record.config),
  };
}

/** Some servers keep it as a text. */
function configOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  try {
    return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : {};
  } catch {
    return {};
  }
}

/** The body of a save; `linkedType` is the type of the service that the script is linked to (OPEN-151). */
export function toRecord(form: ScriptForm, linkedType: string | undefined): Row {
  const config = Object.fromEntries(
    Object.entries(form.config).filter(([, value]) => value !== '' && value !== null && value !== undefined),
  );
  return {
    ...scriptConfig({ ...form }, linkedType),
    config: Object.keys(config).length > 0 ? config : null,
  };
}
