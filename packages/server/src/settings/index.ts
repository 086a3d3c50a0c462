// Every setting: name, type, default, a sentence. Environment variables or flags; docs/settings.md is generated.
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import type { HomeLink, SampleApp } from '@sluice/contract';
import { StartError } from './start-error.ts';

interface Setting<T> {
  name: string;
  type: 'text' | 'number' | 'flag' | 'proxies';
  fallback: T;
  description: string;
  /** Numbers outside these bounds are refused. */
  min?: number;
  max?: number;
  /** The only texts that are accepted. */
  choices?: string[];
}

const text = (name: string, fallback: string, description: string, choices?: string[]): Setting<string> => ({
  name,
  type: 'text',
  fallback,
  description,
  ...(choices === undefined ? {} : { choices }),
});
const number = (
  name: string,
  fallback: number,
  description: string,
  limits: { min?: number; max?: number } = {},
): Setting<number> => ({ name, type: 'number', fallback, description, ...limits });
const flag = (name: string, fallback: boolean, description: string): Setting<boolean> => ({
  name,
  type: 'flag',
  fallback,
  description,
});

/** Which proxies are trusted, as the web server (Fastify) takes it. */
export type TrustedProxies = boolean | number | string[];

const proxies = (name: string, description: string): Setting<TrustedProxies> => ({
  name,
  type: 'proxies',
  fallback: false,
  description,
});

/** The SDKs there are, in the order of their list (NAV-039). */
const sdkNames = [
  ...['android', 'ios_objective_c', 'ios_swift', 'javascript', 'angularjs'],
  ...['angular2', 'ionic', 'titanium', 'reactjs', 'dotnet'],
];

export const settingList = {
  host: text('SLUICE_HOST', '127.0.0.1', 'Address to listen on; `0.0.0.0` for all.'),
  port: number('SLUICE_PORT', 8080, 'Port to listen on; 0 takes a free one.', { max: 65_535 }),
  data: text(
    'SLUICE_DATA',
    './data',
    'Folder of everything the instance keeps: its store, key file, databases, files.',
  ),
  databaseUrl: text(
    'SLUICE_DATABASE_URL',
    '',
    "Database of the platform's own store, `postgres://user:password@host:5432/database` or `mysql://user:password@host:3306/database` (MariaDB too); empty means SQLite in the data folder.",
  ),
  databasePool: number('SLUICE_DATABASE_POOL', 10, 'Most connections to the database server of the store.', {
    min: 1,
    max: 1_000,
  }),
  redisUrl: text(
    'SLUICE_REDIS_URL',
    '',
    'Redis server that carries change notices between several processes of one store, `redis://…` or `rediss://…`; empty means the store carries them: PostgreSQL at once, SQLite and MySQL within 200 ms.',
  ),
  secret: text(
    'SLUICE_SECRET',
    '',
    'Secret that signing and encryption keys are derived from; empty means a key file is made in the data folder.',
  ),
  publicUrl: text(
    'SLUICE_PUBLIC_URL',
    '',
    'Address people reach the instance at, such as `https://api.example.com`; empty means as each request says. Sign-in by SAML needs it.',
  ),
  appsPort: text(
    'SLUICE_APPS_PORT',
    '',
    'Port of the second address, at which hosted apps run; empty means the one after SLUICE_PORT, `off` none.',
  ),
  appsUrl: text(
    'SLUICE_APPS_URL',
    '',
    'Address people reach hosted apps at, such as `https://apps.example.net`: by another host name than the console. Empty means `apps.localhost` at SLUICE_APPS_PORT, for browsers on this machine.',
  ),
  adminEmail: text(
    'SLUICE_ADMIN_EMAIL',
    '',
    'With SLUICE_ADMIN_PASSWORD: makes the first administrator when there is none.',
  ),
  adminPassword: text('SLUICE_ADMIN_PASSWORD', '', 'Password of the first administrator.'),
  adminAppKey: text(
    'SLUICE_ADMIN_APP_KEY',
    '',
    "Fixes the API key of the console's app; at least 64 letters and digits.",
  ),
  passwordMin: number('SLUICE_PASSWORD_MIN', 5, 'Fewest characters of a new password.'),
  loginAttribute: text('SLUICE_LOGIN_ATTRIBUTE', 'email', 'What people sign in with: `email` or `username`.', [
    'email',
    'username',
  ]),
  confirmCodeLength: number(
    'SLUICE_CONFIRM_CODE_LENGTH',
    32,
    'Characters of the codes in mails of invitation, registration and reset.',
    { min: 5, max: 32 },
  ),
  confirmCodeMinutes: number('SLUICE_CONFIRM_CODE_MINUTES', 1440, 'How long such a code is good for, in minutes.', {
    min: 1,
  }),
  confirmInviteUrl: text(
    'SLUICE_CONFIRM_INVITE_URL',
    '/user-invite',
    'Where the link of an invitation leads: an address, or a path of this instance.',
  ),
  confirmRegisterUrl: text(
    'SLUICE_CONFIRM_REGISTER_URL',
    '/register-confirm',
    'Where the link of a registration leads.',
  ),
  confirmResetUrl: text('SLUICE_CONFIRM_RESET_URL', '/reset-password', 'Where the link to a new password leads.'),
  tokenMinutes: number('SLUICE_TOKEN_MINUTES', 60, 'How long a session token is good for, in minutes.'),
  refreshMinutes: number(
    'SLUICE_REFRESH_MINUTES',
    20160,
    'How long after the first sign-in a token may be renewed, in minutes.',
  ),
  foreverSessions: flag(
    'SLUICE_FOREVER_SESSIONS',
    false,
    'Whether "remember me" makes sessions that renew without end.',
  ),
  trustProxy: proxies(
    'SLUICE_TRUST_PROXY',
    'The proxies whose X-Forwarded-* headers are believed: none with `false`; with a number, that many in front of this server; with a list, `10.0.0.5, 192.168.0.0/16, fd00::/8`, those at these addresses. `true` believes every address: only where all calls come through a proxy of yours that replaces these headers.',
  ),
  metricsToken: text(
    'SLUICE_METRICS_TOKEN',
    '',
    'Who sends `Authorization: Bearer` with it may read `/metrics`; 16 characters at least. Empty: only a direct connection from this machine, and none at all with SLUICE_TRUST_PROXY or SLUICE_PUBLIC_URL.',
  ),
  mailFrom: text(
    'SLUICE_MAIL_FROM',
    '',
    'The sender of emails where neither the call nor the template nor the service names one: `a@example.com` or `Shop <a@example.com>`. Empty: such an email is refused.',
  ),
  sendmail: text(
    'SLUICE_SENDMAIL',
    '/usr/sbin/sendmail',
    'The program that services of type `local_email` hand emails to, by its absolute path; the only one they may run.',
  ),
  license: text('SLUICE_LICENSE', 'OPEN SOURCE', 'The tier shown by the console: `OPEN SOURCE`, `SILVER` or `GOLD`.', [
    'OPEN SOURCE',
    'SILVER',
    'GOLD',
  ]),
  auditDays: number('SLUICE_AUDIT_DAYS', 90, 'Days the audit is kept; 0 keeps it for ever.', { max: 36_500 }),
  maxConnections: number(
    'SLUICE_MAX_CONNECTIONS',
    4_000,
    'Most connections of callers at once; further ones are closed at once. Never more than the files the process may open, less 200.',
    { min: 1 },
  ),
  drainSeconds: number(
    'SLUICE_DRAIN_SECONDS',
    2,
    'After SIGTERM: seconds in which `/readyz` is a 503 and calls are still answered, on connections that are then closed. Behind a proxy that asks for readiness: a little more than it takes to notice.',
    { max: 3_600 },
  ),
  stopSeconds: number('SLUICE_STOP_SECONDS', 60, 'Then: seconds that calls in flight may take to finish.', {
    max: 3_600,
  }),
  bodyLimit: number('SLUICE_BODY_LIMIT', 10 * 1024 * 1024, 'Largest request body in bytes.'),
  uploadLimit: number(
    'SLUICE_UPLOAD_LIMIT',
    5 * 1024 ** 3,
    'Largest body in bytes that is written to a file as it comes; other bodies have SLUICE_BODY_LIMIT.',
  ),
  fetchPrivate: text(
    'SLUICE_FETCH_PRIVATE',
    '',
    'What of private networks the server fetches files from for callers (`url=`, import from an address), scripts may call (`platform.api`) and sign-in providers may be in: a list of host names, addresses and ranges, `files.internal, 10.0.0.0/8`. Empty: public addresses alone. `true` lets callers reach all that this machine reaches, its own ports among them.',
  ),
  answerMemory: number(
    'SLUICE_ANSWER_MEMORY',
    128 * 1024 * 1024,
    'Most bytes of answers in memory at once, from their reading until callers have taken them; one caller gets half. Further calls for long answers get a 503.',
    { min: 4 * 1024 * 1024 },
  ),
  maxRecords: number('SLUICE_MAX_RECORDS', 100_000, 'Most records one answer may hold, whatever a service allows.'),
  limitsAway: text(
    'SLUICE_LIMITS_AWAY',
    'pass',
    'What becomes of calls that limits concern while the store of counters is away: `pass`, they go on uncounted, or `refuse`, they get a 503.',
    ['pass', 'refuse'],
  ),
  limitsTimeout: number(
    'SLUICE_LIMITS_TIMEOUT',
    50,
    'Milliseconds a call waits at most for the store of counters before that counts as away. More is slower while it is, and exact where it answers slowly.',
    { min: 1, max: 10_000 },
  ),
  queryTimeout: number('SLUICE_QUERY_TIMEOUT', 30_000, 'Milliseconds a database query may take.', { min: 1 }),
  scriptsDisabled: text(
    'SLUICE_SCRIPTS_DISABLED',
    '',
    'Which scripts do not run and cannot be written: `all`, or types, `nodejs,php`. Empty: none.',
  ),
  scriptSeconds: number('SLUICE_SCRIPT_SECONDS', 300, 'Seconds that all scripts of a call may take together.', {
    min: 1,
    max: 3_600,
  }),
  scriptMemory: number('SLUICE_SCRIPT_MEMORY', 64 * 1024 * 1024, 'Bytes of memory that a script may use.', {
    min: 8 * 1024 * 1024,
    max: 1024 * 1024 * 1024,
  }),
  scriptsSkipUnloadable: flag(
    'SLUICE_SCRIPTS_SKIP_UNLOADABLE',
    false,
    'A call goes on without a linked `pre_process` script that cannot be loaded; otherwise it gets a 503.',
  ),
  scriptsUnconfined: text(
    'SLUICE_SCRIPTS_UNCONFINED',
    '',
    'Types of scripts that run with the rights of the server where nothing confines them, `nodejs,python,php`: their scripts can read its store and its keys. Empty: they do not run there.',
  ),
  scriptsModules: text(
    'SLUICE_SCRIPTS_MODULES',
    '',
    'Modules that scripts of nodejs may load by `require`, `lodash,moment`, from SLUICE_SCRIPTS_MODULES_FOLDER. Empty: those of Node.js alone.',
  ),
  scriptsModulesFolder: text(
    'SLUICE_SCRIPTS_MODULES_FOLDER',
    '',
    'Absolute path of the folder whose `node_modules` has the modules of SLUICE_SCRIPTS_MODULES. Scripts can read all of it.',
  ),
  scriptProcesses: number(
    'SLUICE_SCRIPT_PROCESSES',
    32,
    'Processes and threads that a script of nodejs, python or php may have, those of its interpreter included.',
    { min: 16, max: 4_096 },
  ),
  scriptDisk: number(
    'SLUICE_SCRIPT_DISK',
    16 * 1024 * 1024,
    'Bytes of files that a script of nodejs, python or php may write; they are kept in memory and gone after its run.',
    { min: 4_096, max: 1024 * 1024 * 1024 },
  ),
  scriptFiles: number(
    'SLUICE_SCRIPT_FILES',
    128,
    'Files and sockets that a process of a script of nodejs, python or php may have open.',
    { min: 32, max: 65_536 },
  ),
  mcp: flag(
    'SLUICE_MCP',
    true,
    'Agents may call services by the Model Context Protocol, at `/mcp`. `off`: there is no such address.',
  ),
  graphql: flag(
    'SLUICE_GRAPHQL',
    true,
    'Tables may be read and written by GraphQL, at `/graphql`. `off`: there is no such address.',
  ),
  demo: flag('SLUICE_DEMO', false, 'Adds the sample database `world` at start.'),
  links: text(
    'SLUICE_LINKS',
    '',
    'Pages outside this instance that the console leads to, `support=https://…,upgrade=https://…`; also `welcome`, `quickstart`, `resources`, `download`. One that is not set is not shown.',
  ),
  homeLinks: text(
    'SLUICE_HOME_LINKS',
    '',
    'Pages that Home leads to in place of those of SLUICE_LINKS, as JSON: `[{"name":"docs","label":"Documentation","href":"https://…"}]`; a label that is missing is the name.',
  ),
  sdks: text(
    'SLUICE_SDKS',
    '',
    `Pages of SDKs that the list of apps leads to, \`javascript=https://…,android=https://…\`; the names are ${sdkNames.map((name) => `\`${name}\``).join(', ')}. One that is not set is not shown.`,
  ),
  sampleApps: text(
    'SLUICE_SAMPLE_APPS',
    '',
    'Sample apps that the import of apps offers, as JSON: `[{"name":"javascript","package_url":"https://….dfpkg","repository_url":"https://…"}]`; the names are those of SLUICE_SDKS. The server fetches a package when somebody imports it. One that is not set is not shown.',
  ),
  chat: text(
    'SLUICE_CHAT',
    '',
    'Address of the script of a live chat, which the console loads for administrators who are signed in, unless Config › Live Chat is off. It runs with the rights of the page: name only what you trust as you trust this server. Empty: there is no chat.',
  ),
  chatOrigins: text(
    'SLUICE_CHAT_ORIGINS',
    '',
    'Further origins that this chat may load from and talk to, `https://api.chat.example,wss://api.chat.example`.',
  ),
  notificationsFeed: text(
    'SLUICE_NOTIFICATIONS_FEED',
    '',
    'Address of news that browsers ask for without key, token or cookie, `{"notifications":[{"name":"…","url":"https://…"}]}`; they are shown to people who are signed in. Empty: there are none, and no browser asks.',
  ),
  codeHost: text(
    'SLUICE_CODE_HOST',
    'https://api.github.com',
    'Address of the API that the console imports scripts from, of GitHub or of a server that speaks as it does (`https://git.example/api/v3`). Browsers ask it, without key, token or cookie of this instance. `off`: scripts are not imported from there.',
  ),
  consoleFolder: text(
    'SLUICE_CONSOLE',
    'packages/console/dist',
    'Folder of the built console; empty serves the API alone.',
  ),
  log: text('SLUICE_LOG', 'info', 'How much is logged: `silent`, `error`, `warn`, `info` or `debug`.', [
    'silent',
    'error',
    'warn',
    'info',
    'debug',
  ]),
  logFormat: text(
    'SLUICE_LOG_FORMAT',
    'auto',
    'How log lines look: `json`, `pretty`, or `auto`: for people on a terminal, JSON elsewhere.',
    ['json', 'pretty', 'auto'],
  ),
  logFiles: number(
    'SLUICE_LOG_FILES',
    10,
    'Most log files in the folder of the service `logs` (`files/logs` of the data folder), where the log is written as JSON beside standard output; 0 writes none.',
    { max: 1_000 },
  ),
  logFileSize: number(
    'SLUICE_LOG_FILE_SIZE',
    10 * 1024 * 1024,
    'Bytes of a log file, after which the next one begins.',
    {
      min: 10_000,
    },
  ),
} as const;

export type Settings = {
  -readonly [K in keyof typeof settingList]: (typeof settingList)[K] extends Setting<infer T> ? T : never;
};

/**
 * Reads the settings from the environment and from flags (`--port 9000`, `--demo`); flags win.
 * An unknown flag or a value of the wrong type is a StartError that names it.
 */
export function readSettings(env: Record<string, string | undefined>, argv: string[] = []): Settings {
  const flags = readFlags(argv);
  const entries = Object.entries(settingList).map(([key, setting]) => {
    const raw = flags.get(key) ?? env[setting.name];
    return [key, raw === undefined || raw === '' ? setting.fallback : parseValue(setting, raw)];
  });
  const settings = Object.fromEntries(entries) as Settings;
  for (const key of ['publicUrl', 'appsUrl'] as const)
    if (settings[key] !== '' && !isWebAddress(settings[key]))
      throw new StartError(`${settingList[key].name} must begin with https:// or http://, not "${settings[key]}".`);
  checkApps(settings);
  // Its value stays out of the message: most likely it is nearly right.
  if (settings.metricsToken !== '' && !/^[\x21-\x7e]{16,}$/.test(settings.metricsToken))
    throw new StartError('SLUICE_METRICS_TOKEN must be 16 or more letters, digits and signs of ASCII, without blanks.');
  privateTargetsOf(settings);
  for (const check of [linksOf, sdksOf, sampleAppsOf, homeLinksOf, chatOf, feedOf, codeHostOf]) check(settings);
  if (!isAbsolute(settings.sendmail) || /\s/.test(settings.sendmail))
    throw new StartError(`SLUICE_SENDMAIL must be an absolute path without blanks, not "${settings.sendmail}".`);
  return { ...settings, publicUrl: settings.publicUrl.replace(/\/+$/, '') };
}

/** Cookies of a host are there at all its ports: an app must not be where the console is. */
function checkApps({ appsPort, appsUrl, publicUrl }: Settings): void {
  if (!/^(off|\d{1,5})?$/i.test(appsPort) || Number(appsPort) > 65_535)
    throw new StartError(`SLUICE_APPS_PORT must be a port or "off", not "${appsPort}".`);
  if (appsUrl !== '' && publicUrl !== '' && new URL(appsUrl).hostname === new URL(publicUrl).hostname)
    throw new StartError(
      'SLUICE_APPS_URL must have another host name than SLUICE_PUBLIC_URL; another port is not enough.',
    );
}

const isWebAddress = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);

function parseValue(setting: Setting<unknown>, raw: string): unknown {
  if (setting.type === 'text') {
    if (setting.choices && !setting.choices.includes(raw))
      throw new StartError(`${setting.name} is one of ${setting.choices.join(', ')}, not "${raw}".`);
    return raw;
  }
  if (setting.type === 'number') {
    const value = Number(raw);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new StartError(`${setting.name} must be a whole number, not "${raw}".`);
    if (setting.min !== undefined && value < setting.min)
      throw new StartError(`${setting.name} must be ${setting.min} at least, not ${value}.`);
    if (setting.max !== undefined && value > setting.max)
      throw new StartError(`${setting.name} can be ${setting.max} at most, not ${value}.`);
    return value;
  }
  if (setting.type === 'proxies') return parseProxies(setting.name, raw);
  if (/^(1|true|yes|on)$/i.test(raw)) return true;
  if (/^(0|false|no|off)$/i.test(raw)) return false;
  throw new StartError(`${setting.name} must be true or false, not "${raw}".`);
}

/** `1` is one proxy, not `true`: where a client reaches the server beside the proxy, trusting everybody would trust that client. */
function parseProxies(name: string, raw: string): TrustedProxies {
  const text = raw.trim();
  if (/^(true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  const invalid = list.find((part) => !isNetwork(part));
  if (invalid === undefined) return list;
  throw new StartError(
    `${name} must be true, false, how many proxies there are, or a list of addresses and ranges such as 10.0.0.5, 192.168.0.0/16; "${invalid}" is none of them.`,
  );
}

/** An address, or a range of them as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** What SLUICE_FETCH_PRIVATE names: everything, or host names in lower case, addresses and ranges. */
export type PrivateTargets = true | string[];

export function privateTargetsOf({ fetchPrivate }: Pick<Settings, 'fetchPrivate'>): PrivateTargets {
  if (/^true$/i.test(fetchPrivate.trim())) return true;
  const list = fetchPrivate
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  const invalid = list.find((part) => !isNetwork(part) && !/^(?![\d.]+$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(part));
  if (invalid === undefined) return list;
  throw new StartError(
    `SLUICE_FETCH_PRIVATE is true or a list of host names, addresses and ranges such as files.internal, 10.0.0.0/8; "${invalid}" is none of them.`,
  );
}

const linkNames = ['upgrade', 'support', 'welcome', 'quickstart', 'resources', 'download'];

/** The pages SLUICE_LINKS names, by name. */
export const linksOf = ({ links }: Pick<Settings, 'links'>): Record<string, string> =>
  parseLinks('SLUICE_LINKS', links, linkNames);

/** The pages of SDKs, in the order of their list. */
export function sdksOf({ sdks }: Pick<Settings, 'sdks'>): { name: string; href: string }[] {
  const links = parseLinks('SLUICE_SDKS', sdks, sdkNames);
  return sdkNames.flatMap((name) => (links[name] === undefined ? [] : [{ name, href: links[name] }]));
}

/** Addresses by name; an unknown name or an address that is no web page is a StartError. */
function parseLinks(setting: string, text: string, names: string[]): Record<string, string> {
  const entries = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', address = ''] = entry.split(/=(.*)/s).map((part) => part.trim());
      if (!names.includes(name)) throw new StartError(`${setting} knows ${names.join(', ')}, not "${name}".`);
      if (!isWebAddress(address))
        throw new StartError(`${setting}: the address of ${name} must begin with https:// or http://.`);
      return [name, address];
    }),
  );
}

/** The sample apps, in the order of the list of SDKs. Anything else than a list of names with both addresses is a StartError. */
export function sampleAppsOf({ sampleApps }: Pick<Settings, 'sampleApps'>): SampleApp[] {
  if (sampleApps.trim() === '') return [];
  const refused = new StartError(
    `SLUICE_SAMPLE_APPS is a list as JSON, each with a name of ${sdkNames.join(', ')} that stands there once, a package_url that ends in .dfpkg and a repository_url; both begin with https:// or http://.`,
  );
  let samples: unknown;
  try {
    samples = JSON.parse(sampleApps);
  } catch {
    throw refused;
  }
  if (!Array.isArray(samples) || samples.length > sdkNames.length) throw refused;
  const byName = new Map(
    samples.map((sample: Partial<Record<keyof SampleApp, unknown>> | null): [string, SampleApp] => {
      const { name, package_url, repository_url } = sample ?? {};
      if (typeof name !== 'string' || !sdkNames.includes(name)) throw refused;
      if (!isAddressText(package_url) || !/\.dfpkg$/i.test(new URL(package_url).pathname)) throw refused;
      if (!isAddressText(repository_url)) throw refused;
      return [name, { name, package_url, repository_url }];
    }),
  );
  if (byName.size < samples.length) throw refused;
  return sdkNames.flatMap((name) => byName.get(name) ?? []);
}

const isAddressText = (value: unknown): value is string => typeof value === 'string' && isWebAddress(value);

const maxHomeLinks = 20;

/** What SLUICE_HOME_LINKS lists; undefined where it is empty. Anything else than a list of names and web pages is a StartError. */
export function homeLinksOf({ homeLinks }: Pick<Settings, 'homeLinks'>): HomeLink[] | undefined {
  if (homeLinks.trim() === '') return undefined;
  const refused = new StartError(
    `SLUICE_HOME_LINKS is a list of at most ${maxHomeLinks} links as JSON, each with a name and an href that begins with https:// or http://.`,
  );
  let links: unknown;
  try {
    links = JSON.parse(homeLinks);
  } catch {
    throw refused;
  }
  if (!Array.isArray(links) || links.length > maxHomeLinks) throw refused;
  return links.map((link: Partial<Record<keyof HomeLink, unknown>> | null): HomeLink => {
    const { name, label, href, attributes } = link ?? {};
    if (typeof name !== 'string' || name === '' || typeof href !== 'string' || !isWebAddress(href)) throw refused;
    if (label !== undefined && typeof label !== 'string') throw refused;
    return { name, label: label || name, href, attributes: Array.isArray(attributes) ? attributes.map(String) : [] };
  });
}

/** The address of a live chat's script and all origins it may use; undefined where there is no chat. */
export function chatOf({
  chat,
  chatOrigins,
}: Pick<Settings, 'chat' | 'chatOrigins'>): { script: string; origins: string[] } | undefined {
  const origins = chatOrigins.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const invalid = origins.find((origin) => !isOrigin(origin));
  if (invalid !== undefined)
    throw new StartError(`SLUICE_CHAT_ORIGINS lists origins such as https://api.chat.example, not "${invalid}".`);
  if (chat === '') return undefined;
  if (!isWebAddress(chat)) throw new StartError('SLUICE_CHAT must be an address that begins with https:// or http://.');
  return { script: chat, origins: [...new Set([new URL(chat).origin, ...origins])] };
}

/** The address of the news; undefined where there are none. */
export function feedOf({ notificationsFeed }: Pick<Settings, 'notificationsFeed'>): string | undefined {
  if (notificationsFeed === '') return undefined;
  if (isWebAddress(notificationsFeed)) return notificationsFeed;
  throw new StartError('SLUICE_NOTIFICATIONS_FEED must be an address that begins with https:// or http://.');
}

/** The API of the code-hosting service, without a slash at its end; undefined where there is none. */
export function codeHostOf({ codeHost }: Pick<Settings, 'codeHost'>): string | undefined {
  if (/^off$/i.test(codeHost)) return undefined;
  if (isWebAddress(codeHost)) return codeHost.replace(/\/+$/, '');
  throw new StartError('SLUICE_CODE_HOST must be "off" or an address that begins with https:// or http://.');
}

/** An origin as a policy of a page may name it: nothing that would end a directive or stand for more. */
const isOrigin = (text: string): boolean => /^(https?|wss?):\/\/[a-z0-9.-]+(:\d{1,5})?$/i.test(text);

/** The flag of a setting: `publicUrl` is `--public-url`. */
export const flagOf = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function readFlags(argv: string[]): Map<string, string> {
  const keys = new Map(Object.keys(settingList).map((key) => [flagOf(key), key as keyof typeof settingList]));
  const values = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const [name = '', inline] = argv[index]!.split(/=(.*)/s);
    const key = keys.get(name);
    if (!key) throw unknownFlag(name, [...keys.keys()]);
    const next = argv[index + 1];
    const takesNext = inline === undefined && next !== undefined && !next.startsWith('--');
    if (takesNext) index++;
    const value = inline ?? (takesNext ? next : /^(flag|proxies)$/.test(settingList[key].type) ? 'true' : undefined);
    if (value === undefined) throw new StartError(`The flag ${name} needs a value.`);
    values.set(key, value);
  }
  return values;
}

function unknownFlag(name: string, flags: string[]): StartError {
  // npm keeps `npm start --port 9000` for itself and hands on the 9000.
  if (!name.startsWith('-'))
    return new StartError(
      `"${name}" stands where a flag should. With npm, flags come after --: npm start -- --port 9000`,
    );
  return new StartError(
    `Unknown flag ${name}. The flags are ${flags.join(', ')}; docs/settings.md says what each does.`,
  );
}

/** Where people reach this instance, without a request that would say so: for links in mails. */
export function ownAddress({ publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return publicUrl || `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
