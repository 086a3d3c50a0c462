// People sign in by a provider of SAML 2.0 (contract/sessions-and-accounts.md §9, ADR 0034): the request, the answer, and how this
// instance describes itself. What an answer has to be is in response.ts, who it makes somebody here in identity/external.
import { type ConfigFields, type ConfigOf, fail, configField as field, type Session } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';
import type { Confirmed } from '../../identity/external/assertions.ts';
import type { ExternalSignIn } from '../../identity/external/index.ts';
import type { ExternalService } from '../../identity/external/provider.ts';
import { routesOf } from '../../service/operation.ts';
import { type ServiceContext, serviceType } from '../../service/service.ts';
import type { Settings } from '../../settings/index.ts';
import { refuseField } from '../../storage/remote-config.ts';
import { checkAddress, clientFields, roleFields } from '../engines/oauth-type.ts';
import { isCertificateOf, readCertificates, readPrivateKey } from './certificates.ts';
import { stateOf } from './message.ts';
import { decodeAnswer, libraryOptions, loadLibrary, type Parties, ProviderStatus, readAnswer } from './response.ts';

/** What stands for the session token in an address that a sign-in leads to. */
const tokenMark = '_token_';

const config = {
  default_role: roleFields.default_role,
  sp_nameIDFormat: field.text({
    label: 'SP NameIDFormat',
    description:
      'What people are known by there: the provider has to send a NameID of this format, and one that stays the same for a person.',
    default: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  }),
  sp_x509cert: field.text({
    label: 'SP x509cert',
    description: 'The certificate of the private key, for the provider; the metadata has it.',
  }),
  sp_privateKey: {
    ...field.text({
      label: 'SP Private Key',
      description:
        'An RSA key (PEM). With it requests are signed, and encrypted assertions decrypted. It needs the certificate above.',
    }),
    secret: true,
  },
  relay_state: field.text({
    label: 'Relay State',
    description:
      'Where people are sent once they are signed in; _token_ stands for their session token: https://api.example.com/?session_token=_token_ is the console. Blank: the answer is the session, as JSON.',
  }),
  idp_entityId: field.text({
    label: 'IdP EntityId',
    description: 'What the provider calls itself in its metadata.',
    required: true,
  }),
  idp_singleSignOnService_url: field.text({
    label: 'IdP SSO service URL',
    description: 'Where browsers are sent, by a redirect.',
    required: true,
  }),
  idp_x509cert: field.text({
    label: 'IdP x509cert',
    description:
      'The certificate that answers are signed with, of an RSA key. Two while the provider changes from one to the next. Answers without a signature are refused.',
    required: true,
  }),
  icon_class: clientFields.icon_class,
  app_role_map: roleFields.app_role_map,
} satisfies ConfigFields;

type SamlServiceConfig = ConfigOf<typeof config>;

/** What this type needs of the instance. */
export interface SamlParts {
  external: Pick<ExternalSignIn, 'assertions'>;
  settings: Pick<Settings, 'publicUrl'>;
}

interface OpenSaml {
  service: ExternalService;
  relayState: string;
  /** The parties of a call: what the provider knows this instance by follows from the address people reach it at. */
  parties(call: Pick<Call, 'baseUrl'>): Parties;
  log: ServiceContext['log'];
}

/** A sign-in that was confirmed, until the browser comes back with its cookie. */
interface ConfirmedAnswer extends Confirmed {
  /** Where the browser goes then, with the mark for the token. */
  target?: string;
  /** What was sent, where the browser gets the session itself. */
  sent?: string;
}

/** Sign-in by SAML 2.0. */
export const saml = ({ external, settings }: SamlParts) =>
  serviceType<typeof config, OpenSaml>({
    name: 'saml',
    label: 'SAML 2.0',
    description: 'People sign in by a provider of SAML 2.0.',
    group: 'SSO',
    can: { signIn: 'saml' },
    config,
    fixedDestination:
      'The private key signs what the browser takes along, and decrypts what it brings: it is sent nowhere.',
    check: checkConfig,
    routes: [
      routesOf<OpenSaml>()(
        'sso',
        {
          GET: {
            summary: 'Go to the provider to sign in',
            description:
              'A redirect (302), for browsers: the cookie that comes with it has to be there when they come back.',
            answer: 'object',
            token: 'ignored',
            errors: ['saml.noAddress'],
            async handle(call, _values, open) {
              const parties = open.parties(call);
              const { SAML } = await loadLibrary();
              const state = await external.assertions.begin(open.service, call);
              const request = new SAML(libraryOptions(parties, { generateUniqueId: () => `_${state}` }));
              return redirect(
                302,
                await request.getAuthorizeUrlAsync(open.relayState || ssoOf(parties), undefined, {}),
              );
            },
          },
        },
        { public: ['GET'] },
      ),
      routesOf<OpenSaml>()(
        'acs',
        {
          POST: {
            summary: 'Sign in by the answer of the provider',
            description:
              'The form that the provider has the browser send. Where the browser has no cookie with it, as it comes from another site, it is sent on (303) to bring it.',
            takesForms: true,
            body: 'object',
            bodyFields: { SAMLResponse: { type: 'string', required: true }, RelayState: { type: 'string' } },
            answer: 'object',
            answerFields: { session_token: { type: 'string' }, SAMLResponse: { type: 'string' } },
            errors: ['saml.invalidResponse', 'saml.noAddress'],
            token: 'ignored',
            handle: (call, _values, open) => receive(call, open, external),
          },
          GET: {
            summary: 'Complete the sign-in with the cookie of the browser',
            description: 'Where the answer of the provider came without it.',
            parameters: ['state'],
            answer: 'object',
            answerFields: { session_token: { type: 'string' }, SAMLResponse: { type: 'string' } },
            errors: ['saml.invalidResponse'],
            token: 'ignored',
            async handle(call, _values, open) {
              const state = call.query.get('state') ?? '';
              const completed = await external.assertions.complete<ConfirmedAnswer>(open.service, state, call);
              if (completed) return answerOf(completed.session, completed.confirmed);
              // Of what nobody began, the log would be filled by anybody.
              if (!(await external.assertions.isOpen(open.service, state))) throw fail('saml.invalidResponse');
              throw refuse(open, 'another browser began the sign-in, or this one keeps no cookies');
            },
          },
        },
        { public: ['POST', 'GET'] },
      ),
      routesOf<OpenSaml>()(
        'metadata',
        {
          GET: {
            summary: 'This instance as a service provider',
            description: 'Metadata of SAML 2.0, for the provider.',
            answer: 'text',
            token: 'ignored',
            errors: ['saml.noAddress'],
            async handle(call, _values, open) {
              const { generateServiceProviderMetadata } = await loadLibrary();
              const { entityId, acs, nameIdFormat, key, certificate } = open.parties(call);
              const text = generateServiceProviderMetadata({
                ...{
                  issuer: entityId,
                  callbackUrl: acs,
                  identifierFormat: nameIdFormat || null,
                  wantAssertionsSigned: true,
                },
                ...(key === undefined ? {} : { privateKey: key, decryptionPvk: key }),
                ...{ publicCerts: certificate ?? null, decryptionCert: certificate ?? null },
              });
              return { body: { text, type: 'text/xml; charset=utf-8' } };
            },
          },
        },
        { public: ['GET'] },
      ),
    ],
    open(values, { id, name, log }) {
      const { default_role, app_role_map, sp_privateKey, sp_x509cert } = values;
      const key = readField('sp_privateKey', sp_privateKey, readPrivateKey);
      const facts = {
        provider: values.idp_entityId?.trim() ?? '',
        signInAddress: values.idp_singleSignOnService_url?.trim() ?? '',
        certificates: readField('idp_x509cert', values.idp_x509cert, readCertificates) ?? [],
        nameIdFormat: values.sp_nameIDFormat?.trim() ?? '',
        ...{ key, certificate: key && readField('sp_x509cert', sp_x509cert, readCertificates)?.[0] },
      };
      return {
        service: { id, name, column: 'saml', roles: { default_role, app_role_map } },
        relayState: values.relay_state?.trim() ?? '',
        log,
        parties(call) {
          const address = `${addressOf(call, settings)}/api/v2/${encodeURIComponent(name)}`;
          return { ...facts, entityId: `${address}/metadata`, acs: `${address}/acs` };
        },
      };
    },
  });

/**
 * The address that people reach this instance at. Not what a request says it is: a caller that chooses it could bring an answer that
 * a person got for another program of the same provider. On the machine itself it counts.
 */
function addressOf({ baseUrl }: Pick<Call, 'baseUrl'>, { publicUrl }: SamlParts['settings']): string {
  if (publicUrl === '' && !(URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)))
    throw fail('saml.noAddress');
  return baseUrl;
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

const ssoOf = ({ entityId }: Parties) => entityId.replace(/metadata$/, 'sso');

/** Takes the answer of the provider, which answers a request that is under way, once. */
async function receive(call: Call, open: OpenSaml, { assertions }: SamlParts['external']): Promise<Reply> {
  const parties = open.parties(call);
  const body = await call.body();
  const { SAMLResponse: sent, RelayState: relayState } = isRecord(body) ? body : {};
  const text = typeof sent === 'string' ? decodeAnswer(sent) : undefined;
  const state = text === undefined ? undefined : stateOf(text);
  // What answers nothing gets no further: neither what a provider sends unasked nor what costs time to refuse.
  if (text === undefined || state === undefined || !(await assertions.isOpen(open.service, state)))
    throw fail('saml.invalidResponse');
  const target = targetOf(relayState, open.relayState, parties);
  const read = async (): Promise<ConfirmedAnswer> => ({
    person: await readPerson(text, state, parties, open),
    ...(target === undefined ? { sent: String(sent) } : { target }),
  });
  const outcome = await assertions.confirm(open.service, state, read, call);
  if (!outcome) throw refuse(open, 'another browser began the sign-in, or it is over');
  if ('state' in outcome) return redirect(303, `${parties.acs}?state=${outcome.state}`);
  return answerOf(outcome.session, outcome.confirmed);
}

/** Whose answer it is, or what it is refused with. */
async function readPerson(text: string, state: string, parties: Parties, open: OpenSaml) {
  try {
    return await readAnswer(text, state, parties);
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof ProviderStatus)) throw refuse(open, message);
    open.log.warn({ service: open.service.name, reason: message }, 'the SAML provider signed nobody in');
    throw fail('saml.providerFailed', { problem: message });
  }
}

/** The refusal of an answer, whose reason is for those who read the log. */
function refuse({ service, log }: Pick<OpenSaml, 'service' | 'log'>, reason: string) {
  log.warn({ service: service.name, reason: reason.slice(0, 500) }, 'a SAML response was refused');
  return fail('saml.invalidResponse');
}

/**
 * Where a sign-in leads: an address that an administrator named, or one of this instance. Any other that comes with an answer could
 * be anybody's, and would be given the token.
 */
function targetOf(relayState: unknown, configured: string, parties: Parties): string | undefined {
  if (typeof relayState !== 'string' || relayState === ssoOf(parties) || !URL.canParse(relayState)) return undefined;
  const { origin, username, password, href } = new URL(relayState);
  const isOwn = origin === new URL(parties.acs).origin && username === '' && password === '';
  // As headers can have it, whatever letters it was written in.
  return isOwn || relayState === configured ? href : undefined;
}

function answerOf(session: Session, { target, sent }: ConfirmedAnswer): Reply {
  if (target === undefined) return answer({ ...session, SAMLResponse: sent });
  return redirect(
    302,
    target.replaceAll(tokenMark, () => session.session_token ?? ''),
  );
}

const redirect = (status: number, location: string): Reply => ({
  status,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: { value: {} },
});

function checkConfig(values: SamlServiceConfig): void {
  checkAddress('idp_singleSignOnService_url', values.idp_singleSignOnService_url);
  checkAddress('relay_state', values.relay_state, false);
  readField('idp_x509cert', values.idp_x509cert, readCertificates);
  const key = readField('sp_privateKey', values.sp_privateKey, readPrivateKey);
  const [certificate] = readField('sp_x509cert', values.sp_x509cert, readCertificates) ?? [];
  if (!values.sp_privateKey?.trim()) return;
  if (!values.sp_x509cert?.trim()) throw refuseField('sp_x509cert', 'The sp_x509cert field is required.');
  if (key && certificate && !isCertificateOf(certificate, key))
    throw refuseField('sp_x509cert', 'The sp_x509cert must be the certificate of the sp_privateKey.');
}

/** A certificate or a key of the configuration; undefined where there is none, or a lookup key stands for it until the service opens. */
function readField<T>(name: string, text: string | null, read: (text: string) => T): T | undefined {
  const trimmed = text?.trim();
  if (!trimmed || trimmed.includes('{')) return undefined;
  try {
    return read(trimmed);
  } catch (error) {
    throw refuseField(name, `The ${name} ${(error as Error).message}.`);
  }
}
