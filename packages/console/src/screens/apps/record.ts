// An app as the editor holds it and as it is sent. Pure.
import { appStorageTypes, appType, defaultAppStorageType } from '@sluice/contract';
import { formText } from '../../editor/form-text.ts';
import { type LookupKey, lookupKeysOf, lookupKeysToDraft, lookupKeysToRecord } from '../../fields/lookup-keys.ts';
import { isPublic, trimSlashes } from '../../files/paths.ts';

/** The app whose key the console itself sends. */
export const consoleAppId = 1;

/** Where pages can be, in the order of the radio buttons (OPEN-101). */
export const locations = ['none', 'storage', 'path', 'url'] as const satisfies (keyof typeof appType)[];
export type AppLocation = (typeof appType)[(typeof locations)[number]];

export interface FileService {
  id: number;
  name: string;
  label: string | null;
  type: string;
  config?: { public_path?: string[] | null } | null;
}

export interface AppForm extends Record<string, unknown> {
  id?: number;
  name: string;
  description: string;
  is_active: boolean;
  type: AppLocation;
  storage_service_id: number | null;
  storage_container: string;
  /** Within a file storage, or on the server: the field of two locations. */
  path: string;
  url: string;
  role_id: number | null;
  lookup_by_app_id: LookupKey[];
}

/** What the editor of a new app starts with (OPEN-106, OPEN-107). */
export const emptyApp: AppForm = {
  name: '',
  description: '',
  is_active: false,
  type: appType.none,
  storage_service_id: null,
  storage_container: '',
  path: '',
  url: '',
  role_id: null,
  lookup_by_app_id: [],
};

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A loaded app as the editor holds it; its key is not edited. */
export const toForm = (record: Record<string, unknown>): AppForm => ({
  id: Number(record.id),
  name: formText(record.name),
  description: formText(record.description),
  is_active: record.is_active === true,
  type: Object.values(appType).find((type) => type === record.type) ?? appType.none,
  storage_service_id: number(record.storage_service_id),
  storage_container: formText(record.storage_container),
  path: formText(record.path),
  url: formText(record.url),
  role_id: number(record.role_id),
  lookup_by_app_id: lookupKeysOf(record.lookup_by_app_id),
});

/** Which fields a location has; the others are not sent (OPEN-105). */
const fieldsOf: Record<AppLocation, readonly (keyof AppForm)[]> = {
  [appType.none]: [],
  [appType.storage]: ['storage_service_id', 'storage_container', 'path'],
  [appType.url]: ['url'],
  [appType.path]: ['path'],
};

/** The body of a save. */
export const toRecord = (form: AppForm): Record<string, unknown> => ({
  ...(form.id === undefined ? {} : { id: form.id }),
  name: form.name.trim(),
  description: form.description,
  is_active: form.is_active,
  type: form.type,
  role_id: form.role_id,
  ...Object.fromEntries(fieldsOf[form.type].map((field) => [field, trimmed(form[field])])),
  lookup_by_app_id: lookupKeysToRecord(form.lookup_by_app_id),
});

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** A form as it may be kept as a draft: without typed secrets. */
export const toDraft = (form: AppForm): Partial<AppForm> => ({
  ...form,
  lookup_by_app_id: lookupKeysToDraft(form.lookup_by_app_id),
});

/** The file service that apps are kept in unless another one is chosen (APP-010), and the folder there (APP-011). */
export const defaultServiceOf = (services: readonly FileService[]): FileService | undefined =>
  services.find((service) => service.type === defaultAppStorageType) ?? services[0];
export const defaultContainer = 'applications';

/** An app moved to another place: a file storage begins with its defaults (APP-010, APP-011, APP-016). */
export function withLocation(form: AppForm, type: AppLocation, services: readonly FileService[]): AppForm {
  if (type !== appType.storage) return { ...form, type };
  return {
    ...form,
    type,
    storage_service_id: form.storage_service_id ?? defaultServiceOf(services)?.id ?? null,
    storage_container: form.storage_container || defaultContainer,
    path: form.path || 'index.html',
  };
}

/** Where the app will open, as far as the form tells (OPEN-104); null without an address of its own. */
export function previewUrl(form: AppForm, origin: string, services: readonly FileService[]): string | null {
  const path = form.path.trim().replace(/^\/+/, '');
  if (form.type === appType.path) return `${origin}/${path}`;
  if (form.type !== appType.storage) return null;
  const service = services.find(({ id }) => id === form.storage_service_id)?.name;
  return service ? [origin, service, form.storage_container.trim(), path].filter(Boolean).join('/') : null;
}

/** What a file service shows to everybody. */
const publicPathsOf = ({ config }: FileService): readonly string[] => config?.public_path ?? [];

/** Pages that the field of a path offers: those of the console, and what file services show to everybody. */
export const pagePaths = (pages: readonly string[], services: readonly FileService[]): string[] => [
  ...pages.map((page) => page.replace(/^\//, '')),
  ...services.flatMap((service) => publicPathsOf(service).map((path) => `${service.name}/${trimSlashes(path)}`)),
];

/** Whether something is at a path of this server: a page of the console, or a public path of a file service. */
export function isPageOfServer(text: string, pages: readonly string[], services: readonly FileService[]): boolean {
  const path = trimSlashes(text.trim().split(/[?#]/)[0]!);
  const [first = '', ...rest] = path.split('/');
  if (path === '' || path === 'index.html' || pages.includes(`/${first}`)) return true;
  const service = services.find(({ name }) => name.toLowerCase() === first.toLowerCase());
  return service !== undefined && isPublic(rest.join('/'), publicPathsOf(service));
}

/** Whether everybody can open an app that is kept in a file service; true where that is not known. */
export function isStoredAppPublic(form: AppForm, services: readonly FileService[]): boolean {
  const service = services.find(({ id }) => id === form.storage_service_id);
  if (!service?.config) return true;
  const path = [form.storage_container, form.path]
    .map((part) => trimSlashes(part.trim()))
    .filter(Boolean)
    .join('/');
  return isPublic(path, publicPathsOf(service));
}

/** What an app may keep its files in: services of the types for it (APP-029, C-APP-03). */
export const fileServices = (services: readonly FileService[]): FileService[] =>
  services.filter(({ type }) => appStorageTypes.includes(type));

/** Whether an app has a folder of its own that a deletion could take along (APP-035). */
export const hasFiles = (app: Record<string, unknown>): boolean =>
  app.type === appType.storage &&
  typeof app.storage_service_id === 'number' &&
  /[^/]/.test(String(app.storage_container ?? ''));

/** A stored app as its export asks about it: the files of any app of a file service can go along, those of its topmost folder too. */
export const exportedApp = (app: Record<string, unknown>): { id: number; name: string; hasFiles: boolean } => ({
  id: Number(app.id),
  name: String(app.name ?? ''),
  hasFiles: app.type === appType.storage && typeof app.storage_service_id === 'number',
});
