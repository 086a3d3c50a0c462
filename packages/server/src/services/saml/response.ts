// Whether a provider's answer is good, and whose it is. The signature is the library's business, and what is read is what it verified;
// the rest of the profile is here (SAML 2.0 Profiles §4.1.4.3): who says it, to whom, to what, and until when.
import { isUtf8 } from 'node:buffer';
import type { SamlConfig } from '@node-saml/node-saml';
import type { ProviderPerson } from '../../identity/external/provider.ts';
import { type Element, type Envelope, readEncrypted, readEnvelope, type Xml } from './message.ts';
import { type Assertion, personOf, textOf } from './person.ts';

/** Milliseconds that clocks may differ. */
const clockSkew = 60_000;

/** The library, loaded when somebody signs in. */
export const loadLibrary = async () => {
  const { SAML, generateServiceProviderMetadata } = await import('@node-saml/node-saml');
  // No entry of the package exports its parser, which has to be the one that the signature is checked with.
  const xml = (await import('@node-saml/node-saml/lib/xml.js')) as Xml;
  return { SAML, generateServiceProviderMetadata, xml };
};

/** This instance and the provider, as they know each other. */
export interface Parties {
  /** What the provider calls this instance: the address of the metadata. */
  entityId: string;
  /** Where it sends answers. */
  acs: string;
  provider: string;
  signInAddress: string;
  /** PEM. */
  certificates: string[];
  nameIdFormat: string;
  /** The pair that requests are signed and answers decrypted with, PEM. */
  key: string | undefined;
  certificate: string | undefined;
}

/** The provider says that it did not sign anybody in: status codes and a message of its own. */
export class ProviderStatus extends Error {}

export const libraryOptions = (parties: Parties, more: Partial<SamlConfig> = {}): SamlConfig => ({
  callbackUrl: parties.acs,
  issuer: parties.entityId,
  audience: parties.entityId,
  entryPoint: parties.signInAddress,
  idpCert: parties.certificates,
  identifierFormat: parties.nameIdFormat || null,
  // Any way of the provider's to know somebody: asked for a password alone, it refuses those who have more.
  disableRequestedAuthnContext: true,
  acceptedClockSkewMs: clockSkew,
  signatureAlgorithm: 'sha256',
  digestAlgorithm: 'sha256',
  ...(parties.key === undefined
    ? {}
    : { privateKey: parties.key, publicCert: parties.certificate, decryptionPvk: parties.key }),
  ...more,
});

/** The text of an answer as it was sent; undefined where it is none. */
export function decodeAnswer(sent: string): string | undefined {
  const base64 = sent.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Whose answer it is to the request of a state. Throws `ProviderStatus`, or with what is wrong with it, for the log. */
export async function readAnswer(text: string, state: string, parties: Parties): Promise<ProviderPerson> {
  const { SAML, xml } = await loadLibrary();
  const envelope = await readEnvelope(text, xml);
  checkEnvelope(envelope, state, parties, xml);
  const { assertion, isEncrypted } = envelope;
  if (!assertion) throw new Error('it has no assertion');
  let isAssertionSigned = envelope.isAssertionSigned;
  if (isEncrypted) {
    if (parties.key === undefined) throw new Error('it is encrypted, and the service has no key');
    isAssertionSigned = await readEncrypted(assertion, parties.key, xml);
  }
  if (!envelope.isSigned && !isAssertionSigned) throw new Error('it is not signed');
  // Each signature that is there has to be right.
  const want = { wantAuthnResponseSigned: envelope.isSigned, wantAssertionsSigned: isAssertionSigned };
  const saml = new SAML(libraryOptions(parties, want));
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: Buffer.from(text).toString('base64') });
  const verified = profile?.getAssertion?.() as { Assertion?: Assertion } | undefined;
  if (!verified?.Assertion) throw new Error('it has no assertion');
  checkAssertion(verified.Assertion, state, parties);
  return personOf(verified.Assertion, parties.nameIdFormat);
}

/** What is said outside of the assertion: signed or not, it has to fit. */
function checkEnvelope({ root, assertion }: Envelope, state: string, { acs, provider }: Parties, xml: Xml): void {
  const optional = (name: string, right: string) => {
    const value = root.getAttribute(name);
    if (value && value !== right) throw new Error(`its ${name} is "${value.slice(0, 200)}", not "${right}"`);
  };
  optional('Version', '2.0');
  optional('Destination', acs);
  optional('InResponseTo', `_${state}`);
  const children = (path: string) => xml.xpath.selectElements(root as never, path) as unknown as Element[];
  const [issuer] = children("./*[local-name()='Issuer']");
  if (issuer && issuer.textContent?.trim() !== provider) throw new Error('another provider sent it');
  const codes = children("./*[local-name()='Status']//*[local-name()='StatusCode']").map(
    (code) => code.getAttribute('Value') ?? '',
  );
  if (codes[0]?.endsWith(':status:Success')) return;
  if (assertion) throw new Error('it has an assertion, and says that nobody was signed in');
  const [message] = children("./*[local-name()='Status']/*[local-name()='StatusMessage']");
  const lines = {
    status: codes.slice(0, 3).map(shortCode),
    message: message?.textContent?.trim().slice(0, 300) || null,
  };
  throw new ProviderStatus(JSON.stringify(lines));
}

const shortCode = (code: string) => code.replace(/^urn:oasis:names:tc:SAML:2\.0:status:/, '').slice(0, 100);

/** What the profile wants of the assertion, beyond the audience and the times of its conditions, which the library checks. */
function checkAssertion(assertion: Assertion, state: string, { acs, provider }: Parties): void {
  if (textOf(assertion.Issuer) !== provider) throw new Error('another provider made it');
  if (assertion.Conditions?.length !== 1 || !assertion.Conditions[0]?.$?.NotOnOrAfter)
    throw new Error('it does not say until when it is good');
  if (!assertion.AuthnStatement?.length) throw new Error('it does not say that anybody signed in');
  if (assertion.AuthnStatement.some(({ $ }) => $?.SessionNotOnOrAfter && isOver($.SessionNotOnOrAfter)))
    throw new Error('the session at the provider is over');
  if (assertion.Subject?.length !== 1) throw new Error('it is about nobody, or about several');
  const confirmations = assertion.Subject[0]?.SubjectConfirmation ?? [];
  const isConfirmed = confirmations.some(({ $, SubjectConfirmationData: data }) => {
    const facts = data?.length === 1 ? data[0]?.$ : undefined;
    return (
      $?.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer' &&
      facts?.Recipient === acs &&
      facts.InResponseTo === `_${state}` &&
      facts.NotOnOrAfter !== undefined &&
      !isOver(facts.NotOnOrAfter) &&
      (facts.NotBefore === undefined || isReached(facts.NotBefore))
    );
  });
  if (!isConfirmed) throw new Error('it is for another address or another request, or it came too late');
}

// What is no time is neither.
const isOver = (time: string): boolean => !(Date.parse(time) > Date.now() - clockSkew);
const isReached = (time: string): boolean => Date.parse(time) <= Date.now() + clockSkew;
