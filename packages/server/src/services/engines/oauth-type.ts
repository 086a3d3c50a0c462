// Types of services that people sign in by: their configuration, the tokens they take from native clients, and what identity/external
// needs of them. What differs from provider to provider are facts (oauth-provider.ts).
import { type ConfigFields, type ConfigOf, fail, configField as field } from '@sluice/contract';
import { answer } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';
import { TypedMap } from '../../call/typed-map.ts';
import type { BrowserOffer, ExternalSignIn } from '../../identity/external/index.ts';
import { browserProvider } from '../../identity/external/provider.ts';
import { routesOf } from '../../service/operation.ts';
import { type OpenService, type ServiceType, serviceType } from '../../service/service.ts';
import { refuseField } from '../../storage/remote-config.ts';
import type { ProviderFetch } from './oauth-network.ts';
import { readClaims } from './oauth-people.ts';
import { createOauthProvider, type OauthFacts } from './oauth-provider.ts';

/** What these types need of the instance. */
export interface OauthParts {
  external: ExternalSignIn;
  fetch: ProviderFetch;
}

/** The roles of people who sign in by a service. */
export const roleFields = {
  default_role: field.picklist({
    label: 'Default Role',
    description: 'The role people get in each app where they have none.',
    choices: 'role',
  }),
  app_role_map: field.rows<{ app_id: number; role_id: number }>({
    label: 'Role per App',
    description: 'The role people get in some apps, whenever they sign in.',
    unset: [],
    items: [
      { name: 'app_id', label: 'App', type: 'picklist', choices: 'app' },
      { name: 'role_id', label: 'Role', type: 'picklist', choices: 'role' },
    ],
  }),
} satisfies ConfigFields;

/** This instance as the provider knows it. */
export const clientFields = {
  client_id: field.string({
    label: 'Client ID',
    description: 'What the provider calls this instance.',
    required: true,
  }),
  client_secret: field.secret({
    label: 'Client Secret',
    description: 'What this instance proves to the provider who it is with.',
    required: true,
  }),
  redirect_url: field.string({
    label: 'Redirect URL',
    description:
      'Where the provider sends people back to, as it is registered there: a page of the console, https://api.example.com/login.',
    required: true,
    destination: true,
  }),
  icon_class: field.string({ label: 'Icon Class', description: 'The icon of the button, for clients that show one.' }),
} satisfies ConfigFields;

/** A provider of one's own in place of the one that a type is called after. */
export const customFields = {
  custom_provider: field.boolean({
    label: 'Use custom OAuth 2.0 provider for this type',
    description: 'People sign in at the addresses below instead.',
    default: false,
    destination: true,
  }),
  auth_endpoint: field.string({
    label: 'Authorization Endpoint',
    description: 'Of a custom provider: where browsers are sent.',
    destination: true,
  }),
  token_endpoint: field.string({
    label: 'Token Endpoint',
    description: 'Of a custom provider: where tokens are issued.',
    destination: true,
  }),
  user_endpoint: field.string({
    label: 'User Info Endpoint',
    description: 'Of a custom provider: answers whose token it is.',
    destination: true,
  }),
  scopes: field.string({
    label: 'Scopes',
    description: 'Of a custom provider: what is asked for, separated by commas or blanks.',
  }),
} satisfies ConfigFields;

export type ClientConfig = ConfigOf<typeof roleFields & typeof clientFields>;
type OauthFields = typeof roleFields & typeof clientFields & ConfigFields;

interface OauthTypeDefinition<F extends OauthFields> {
  name: string;
  label: string;
  description: string;
  config: F;
  fixedDestination?: string;
  check?(config: ConfigOf<F>): void;
  complete?: ServiceType<F>['complete'];
  facts(config: ConfigOf<F>): OauthFacts;
}

interface OpenProvider extends OpenService {
  offer: BrowserOffer;
}

/** Declares a type of services that people sign in by with their browser. */
export const oauthType = <F extends OauthFields>(
  { external, fetch }: OauthParts,
  { facts, check, ...definition }: OauthTypeDefinition<F>,
): ServiceType<F> =>
  serviceType<F, OpenProvider>({
    ...definition,
    group: 'OAuth',
    can: { signIn: 'oauth' },
    check(config) {
      checkRedirect((config as ClientConfig).redirect_url);
      check?.(config);
    },
    routes: [
      routesOf<OpenProvider>()(
        'sso',
        {
          POST: {
            summary: 'Sign in by tokens of the provider',
            description:
              'For native clients: the token response of the provider, which has to be issued for this instance.',
            body: 'object',
            bodyFields: {
              access_token: { type: 'string', required: true },
              id_token: { type: 'string' },
              token_type: { type: 'string' },
              expires_in: { type: 'integer' },
            },
            answer: 'object',
            answerFields: {
              session_token: { type: 'string' },
              oauth_token: { type: 'string' },
              id_token: { type: 'string' },
            },
            errors: ['provider.noToken'],
            token: 'ignored',
            async handle(call, _values, { offer }) {
              const body = await call.body();
              const fields = isRecord(body) ? body : {};
              const { access_token: accessToken, id_token: idToken } = fields;
              if (typeof accessToken !== 'string' || accessToken === '') throw fail('provider.noToken');
              const tokens = { accessToken, idToken: typeof idToken === 'string' && idToken ? idToken : undefined };
              return answer(await external.byTokens(offer, tokens, call));
            },
          },
        },
        { public: ['POST'] },
      ),
    ],
    open(config, { id, name }) {
      const { client_id, client_secret, redirect_url, default_role, app_role_map } = config as ClientConfig;
      const own = { clientId: client_id ?? '', clientSecret: client_secret ?? '', redirectUrl: redirect_url ?? '' };
      const service = { id, name, column: 'oauth_provider' as const, roles: { default_role, app_role_map } };
      const offer = { provider: createOauthProvider(facts(config), own, fetch), service };
      return { offer, provides: new TypedMap().set(browserProvider, offer) };
    },
  });

const fieldsOfProvider = { ...roleFields, ...clientFields, ...customFields };
type ProviderConfig = ConfigOf<typeof fieldsOfProvider>;

/** Declares the type of a provider whose addresses are known. */
export const providerType = (
  parts: OauthParts,
  { facts, ...definition }: { name: string; label: string; description: string; facts: OauthFacts },
) =>
  oauthType(parts, {
    ...definition,
    config: fieldsOfProvider,
    check(config) {
      if (!config.custom_provider) return;
      for (const name of ['auth_endpoint', 'token_endpoint', 'user_endpoint'] as const)
        checkAddress(name, config[name]);
    },
    facts: (config) => (config.custom_provider ? customFacts(config) : facts),
  });

const customFacts = (config: ProviderConfig): OauthFacts => ({
  authorize: config.auth_endpoint ?? '',
  token: config.token_endpoint ?? '',
  user: config.user_endpoint ?? '',
  scopes: scopesOf(config.scopes),
  takesProof: true,
  secretIn: 'body',
  readPerson: readClaims,
});

/** Scopes as they are sent, however they are separated. */
export const scopesOf = (text: string | null): string =>
  (text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(' ');

/** Whether a lookup key stands in a text, whose value is known when the service opens. */
const hasLookup = (text: string): boolean => text.includes('{');

/** Refuses what is no address of a web server. */
export function checkAddress(name: string, text: string | null | undefined, isRequired = true): void {
  const address = text?.trim() ?? '';
  if (address === '' && isRequired) throw refuseField(name, `The ${name} field is required.`);
  if (address === '' || hasLookup(address)) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refuseField(name, `The ${name} must be an address that begins with http:// or https://.`);
}

function checkRedirect(text: string | null): void {
  checkAddress('redirect_url', text);
  if (/[?#]/.test(text ?? '') && !hasLookup(text ?? ''))
    throw refuseField('redirect_url', 'The redirect_url must be an address without a query and a fragment.');
}
