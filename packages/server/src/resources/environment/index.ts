// `system/environment`: what clients need to know of the instance, and more of it for callers who may see more
// (contract/system-resources.md §18).
import os from 'node:os';
import type { Environment, EnvironmentApp, LoginProvider } from '@sluice/contract';
import type { Selectable } from 'kysely';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { logFolder } from '../../log/index.ts';
import type { Abilities, ServiceType } from '../../service/service.ts';
import { chatOf, codeHostOf, feedOf, homeLinksOf, type Settings, sampleAppsOf, sdksOf } from '../../settings/index.ts';
import { contractVersion, sluiceVersion } from '../../settings/version.ts';
import type { Store } from '../../store/index.ts';
import type { AppTable } from '../../store/tables.ts';
import { readLaunchUrls } from '../app/index.ts';
import { parseConfig } from '../service/config.ts';

export interface EnvironmentParts {
  store: Pick<Store, 'db' | 'driver' | 'file'>;
  settings: Settings;
  types: () => ServiceType[];
}

/** Answers the environment as this caller sees it. */
export async function answerEnvironment(parts: EnvironmentParts, call: Call): Promise<Reply> {
  const { caller } = call;
  const isIdentified = caller.user !== undefined || caller.role !== undefined;
  const environment: Environment = {
    authentication: await describeAuthentication(parts),
    apps: await listApps(parts, call),
    platform: describePlatform(parts, isIdentified, caller.user?.isAdmin === true),
    ...(isIdentified
      ? {
          ...{ server: describeServer(), client: describeClient(call), config: describeConfig(parts.settings) },
          ...describeOutside(parts.settings, caller.user?.isAdmin === true),
        }
      : {}),
  };
  return answer(environment);
}

/** What everybody who is signed in sees of it, from wherever they ask: what scripts have as `platform.config`. */
export const sharedEnvironment = (
  parts: Pick<EnvironmentParts, 'store' | 'settings'>,
): Pick<Environment, 'platform' | 'server' | 'config'> => ({
  ...{
    platform: describePlatform(parts, true, false),
    server: describeServer(),
    config: describeConfig(parts.settings),
  },
});

/** How people sign in here. */
export async function describeAuthentication({
  store,
  settings,
  types,
}: EnvironmentParts): Promise<Environment['authentication']> {
  const loginAttribute = settings.loginAttribute === 'username' ? 'username' : 'email';
  const payload = { [loginAttribute]: 'string', password: 'string', remember_me: 'bool' };
  const abilities = new Map(types().map((type) => [type.name, type.can]));
  const services = await store.db.selectFrom('service').selectAll().where('is_active', '=', 1).orderBy('id').execute();
  const servicesBySignIn = (method: Abilities['signIn']) =>
    services.filter((service) => abilities.get(service.type)?.signIn === method);
  const registration = parseConfig(services.find((service) => abilities.get(service.type)?.register)?.config);
  const mailServiceId = registration.open_reg_email_service_id;
  const mailService = services.find((service) => service.id === mailServiceId);
  const isMailable = typeof mailServiceId !== 'number' || abilities.get(mailService?.type ?? '')?.mail === true;
  return {
    admin: { path: 'system/admin/session', verb: 'POST', payload },
    user: { path: 'user/session', verb: 'POST', payload },
    oauth: servicesBySignIn('oauth').map(
      ({ name, label, type, config }): LoginProvider => ({
        path: `user/session?service=${encodeURIComponent(name)}`,
        name,
        label,
        verb: ['GET', 'POST'],
        type,
        icon_class: iconOf(config),
      }),
    ),
    adldap: servicesBySignIn('ldap').map(
      ({ name, label }): LoginProvider => ({
        path: `user/session?service=${encodeURIComponent(name)}`,
        name,
        label,
        verb: 'POST',
        payload: { username: 'string', password: 'string', service: name, remember_me: 'bool' },
      }),
    ),
    saml: servicesBySignIn('saml').map(
      ({ name, label, type, config }): LoginProvider => ({
        path: `${name}/sso`,
        name,
        label,
        verb: 'GET',
        type,
        icon_class: iconOf(config),
      }),
    ),
    // Nobody is shown a form that would refuse them.
    allow_open_registration: registration.allow_open_registration === true && isMailable,
    open_reg_email_service_id: typeof mailServiceId === 'number' ? mailServiceId : null,
    allow_forever_sessions: settings.foreverSessions,
    login_attribute: loginAttribute,
  };
}

function iconOf(config: string): string | null {
  const icon = parseConfig(config).icon_class;
  return typeof icon === 'string' && icon !== '' ? icon : null;
}

/** Active apps with pages: administrators see all, others those with a default role and those assigned to them. */
async function listApps({ store }: EnvironmentParts, call: Call): Promise<EnvironmentApp[]> {
  const { db } = store;
  const { user } = call.caller;
  const active = await db.selectFrom('app').selectAll().where('is_active', '=', 1).orderBy('id').execute();
  const withPages = active.filter((app) => app.type !== 0);
  const assigned =
    user && !user.isAdmin
      ? await db.selectFrom('user_to_app_to_role').select('app_id').where('user_id', '=', user.id).execute()
      : [];
  const assignedAppIds = new Set(assigned.map((row) => row.app_id));
  const visible = withPages.filter((app) => user?.isAdmin || app.role_id !== null || assignedAppIds.has(app.id));
  const urls = await readLaunchUrls(visible as unknown as Record<string, unknown>[], { actor: call, db });
  const defaultAppId = user?.defaultAppId ?? (await readDefaultAppId(store));
  return visible.map((app, index) => environmentApp(app, urls[index] as string, app.id === defaultAppId));
}

const environmentApp = (app: Selectable<AppTable>, url: string, isDefault: boolean): EnvironmentApp => ({
  id: app.id,
  name: app.name,
  description: app.description,
  url,
  is_default: isDefault,
  allow_fullscreen_toggle: app.allow_fullscreen_toggle === 1,
  requires_fullscreen: app.requires_fullscreen === 1,
  toggle_location: app.toggle_location ?? 'top',
});

async function readDefaultAppId({ db }: Pick<Store, 'db'>): Promise<number | undefined> {
  const row = await db.selectFrom('service').select('config').where('type', '=', 'system').executeTakeFirst();
  const appId = parseConfig(row?.config).default_app_id;
  return typeof appId === 'number' ? appId : undefined;
}

/** Before sign-in only what the sign-in page shows. Only administrators see where things are on the machine. */
function describePlatform(
  { settings, store }: Pick<EnvironmentParts, 'store' | 'settings'>,
  isIdentified: boolean,
  isAdmin: boolean,
): Environment['platform'] {
  const flags = { license: settings.license, bitnami_demo: settings.demo, is_hosted: false };
  if (!isIdentified) return flags;
  const basics = { version: contractVersion, ...flags, secured_package_export: true };
  if (!isAdmin) return basics;
  const logPath = logFolder(settings);
  return {
    ...basics,
    sluice_version: sluiceVersion,
    db_driver: store.driver,
    ...(store.file === null ? {} : { sqlite_storage: store.file }),
    install_path: process.cwd(),
    ...(logPath === undefined ? {} : { log_path: `${logPath}/` }),
    log_mode: logPath === undefined ? 'stdout' : 'stdout, files',
    log_level: settings.log,
    cache_driver: 'memory',
    packages: [{ name: 'sluice', version: sluiceVersion }],
  };
}

/** What operators set of the world outside; what is not set is absent. */
function describeOutside(
  settings: Settings,
  isAdmin: boolean,
): Pick<Environment, 'home_links' | 'sdks' | 'sample_apps' | 'live_chat' | 'notifications_feed' | 'code_host'> {
  const [links, sdks, chat, feed] = [homeLinksOf(settings), sdksOf(settings), chatOf(settings), feedOf(settings)];
  const samples = sampleAppsOf(settings);
  const codeHost = codeHostOf(settings);
  return {
    ...(links ? { home_links: links } : {}),
    ...(sdks.length > 0 ? { sdks } : {}),
    ...(samples.length > 0 ? { sample_apps: samples } : {}),
    ...(chat && isAdmin ? { live_chat: { script: chat.script } } : {}),
    ...(feed === undefined ? {} : { notifications_feed: feed }),
    ...(codeHost === undefined ? {} : { code_host: codeHost }),
  };
}

function describeServer(): Record<string, unknown> {
  return {
    server_os: os.platform(),
    release: os.release(),
    version: os.version(),
    host: os.hostname(),
    machine: os.machine(),
    ip: externalAddress(),
  };
}

function externalAddress(): string | null {
  const addresses = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

function describeClient(call: Call): Record<string, unknown> {
  const locale = /^[a-z]{2,3}(-[a-z0-9]{2,8})*/i.exec(call.header('accept-language') ?? '')?.[0] ?? 'en';
  return { user_agent: call.userAgent, ip_address: call.ip, locale };
}

function describeConfig({ maxRecords }: Settings): Record<string, unknown> {
  return {
    always_wrap_resources: true,
    resources_wrapper: 'resource',
    db: {
      max_records_returned: maxRecords,
      time_format: null,
      date_format: null,
      datetime_format: null,
      timestamp_format: null,
    },
  };
}
