// People sign in by any provider of OpenID Connect.
import { type ConfigFields, type ConfigOf, configField as field } from '@sluice/contract';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { refuseField } from '../../storage/remote-config.ts';
import { getJson, type ProviderFetch, requireObject } from '../engines/oauth-network.ts';
import { readClaims, textIn } from '../engines/oauth-people.ts';
import type { OauthFacts } from '../engines/oauth-provider.ts';
import { checkAddress, clientFields, type OauthParts, oauthType, roleFields, scopesOf } from '../engines/oauth-type.ts';

const { default_role, app_role_map } = roleFields;
const address = (label: string, description: string) => field.string({ label, description, destination: true });

const config = {
  default_role,
  discovery_document: address(
    'Discovery Document Endpoint',
    'Where the provider describes itself, https://…/.well-known/openid-configuration: fields that are left empty are filled from it when the service is saved.',
  ),
  issuer: address('Issuer', 'Who signs id tokens. Without it people are known by the user info endpoint alone.'),
  auth_endpoint: address('Authorization Endpoint', 'Where browsers are sent.'),
  token_endpoint: address('Token Endpoint', 'Where tokens are issued.'),
  user_endpoint: address('User Info Endpoint', 'Answers whose token it is.'),
  validate_id_token: field.boolean({
    label: 'Validate ID Token',
    description: 'Needs a JWKS URI. Signatures are checked wherever there is one.',
    default: false,
  }),
  jwks_uri: address('JWKS URI', 'The keys that id tokens are signed with.'),
  scopes: field.string({
    label: 'Scopes',
    description: 'What is asked for, separated by commas or blanks: openid, email, profile.',
  }),
  ...clientFields,
  app_role_map,
} satisfies ConfigFields;

type OidcConfig = ConfigOf<typeof config>;

/** Sign-in by OpenID Connect. */
export const oidc = (parts: OauthParts) =>
  oauthType(parts, {
    name: 'oidc',
    label: 'OpenID Connect',
    description: 'People sign in by a provider of OpenID Connect.',
    config,
    check: checkConfig,
    complete: (input) => discover(input, parts.fetch),
    facts: factsOf,
  });

function checkConfig(values: OidcConfig): void {
  for (const name of ['auth_endpoint', 'token_endpoint'] as const) checkAddress(name, values[name]);
  for (const name of ['discovery_document', 'issuer', 'user_endpoint', 'jwks_uri'] as const)
    checkAddress(name, values[name], false);
  if (scopesOf(values.scopes) === '') throw refuseField('scopes', 'The scopes field is required.');
  if (values.validate_id_token) checkAddress('jwks_uri', values.jwks_uri);
  if (!values.user_endpoint && !(values.issuer && values.jwks_uri))
    throw refuseField('user_endpoint', 'The user_endpoint field is required.');
}

const factsOf = (values: OidcConfig): OauthFacts => ({
  authorize: values.auth_endpoint ?? '',
  token: values.token_endpoint ?? '',
  user: values.user_endpoint || undefined,
  issuer: values.issuer || undefined,
  keys: values.jwks_uri || undefined,
  scopes: scopesOf(values.scopes),
  takesProof: true,
  secretIn: 'body',
  readPerson: readClaims,
});

/** What the document of a configuration says of fields that may be empty. */
async function discover(input: unknown, fetch: ProviderFetch): Promise<RecordInput> {
  const location = isRecord(input) ? textIn(input.discovery_document)?.trim() : undefined;
  if (!location || location.includes('{')) return {};
  checkAddress('discovery_document', location);
  const answer = await getJson(fetch, location, { headers: { accept: 'application/json' } });
  const document = requireObject(answer);
  const scopes = Array.isArray(document.scopes_supported) ? document.scopes_supported : [];
  const wanted = ['openid', 'email', 'profile'].filter((scope) => scope === 'openid' || scopes.includes(scope));
  return {
    issuer: textIn(document.issuer),
    auth_endpoint: textIn(document.authorization_endpoint),
    token_endpoint: textIn(document.token_endpoint),
    user_endpoint: textIn(document.userinfo_endpoint),
    jwks_uri: textIn(document.jwks_uri),
    scopes: wanted.join(', '),
  };
}
