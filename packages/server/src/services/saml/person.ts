// Whose account an assertion is about, and how providers call addresses and names.
import type { ProviderPerson } from '../../identity/external/provider.ts';

/** An element with text as it was verified. */
interface TextElement {
  _?: string;
  $?: Record<string, string>;
}

/** An assertion as it was verified; what of it is used here. Attributes are in `$`, the text is `_`. */
export interface Assertion {
  Issuer?: TextElement[];
  Subject?: {
    NameID?: TextElement[];
    SubjectConfirmation?: { $?: Record<string, string>; SubjectConfirmationData?: TextElement[] }[];
  }[];
  Conditions?: { $?: Record<string, string> }[];
  AuthnStatement?: { $?: Record<string, string> }[];
  AttributeStatement?: { Attribute?: { $?: Record<string, string>; AttributeValue?: (TextElement | string)[] }[] }[];
}

/** Characters of a NameID. */
const maxNameId = 1_000;

/** What providers call the attributes, in lower case: the OIDs of LDAP, the claims of Microsoft, and plain names. */
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';
const names = {
  email: ['urn:oid:0.9.2342.19200300.100.1.3', `${claims}emailaddress`, 'email', 'mail', 'emailaddress'],
  whole: [
    ...['urn:oid:2.16.840.1.113730.3.1.241', 'http://schemas.microsoft.com/identity/claims/displayname', 'displayname'],
    ...['urn:oid:2.5.4.3', 'cn'],
  ],
  first: ['urn:oid:2.5.4.42', `${claims}givenname`, 'givenname', 'firstname', 'first_name'],
  last: ['urn:oid:2.5.4.4', `${claims}surname`, 'surname', 'sn', 'lastname', 'last_name'],
  // With some providers a name to sign in by.
  other: [`${claims}name`, 'name'],
};

/**
 * The person of a verified assertion. The id of the account is the NameID, of the format that the service has: a request is not
 * always signed, and a person who chooses the format in it could choose what they are called.
 */
export function personOf(assertion: Assertion, format: string): ProviderPerson {
  const nameIds = assertion.Subject?.[0]?.NameID ?? [];
  const subject = textOf(nameIds);
  if (nameIds.length !== 1 || !subject || subject.length > maxNameId) throw new Error('it has no NameID');
  const sent = shortFormat(nameIds[0]?.$?.Format);
  const wanted = shortFormat(format);
  if (sent !== wanted) throw new Error(`its NameID is of the format ${sent}, not ${wanted}`);
  if (sent === 'transient') throw new Error('its NameID is another one each time (transient)');
  const attributes = attributesOf(assertion);
  const find = (list: string[]) => list.map((name) => attributes.get(name)).find(Boolean);
  const [firstName, lastName] = [find(names.first), find(names.last)];
  const isAddress = sent === 'emailAddress';
  return {
    subject,
    email: isAddress ? subject : find(names.email),
    // Providers of SAML say of no address that it is verified: it is the word of those whose provider it is.
    isEmailVerified: true,
    ...(isAddress ? {} : { joinsNobody: true }),
    name: find(names.whole) ?? (firstName || lastName ? undefined : find(names.other)),
    ...{ firstName, lastName },
  };
}

/** The name of a format, whatever version of SAML its URN is of; none is `unspecified`. */
export const shortFormat = (format: string | undefined): string =>
  (format?.trim() || 'unspecified').replace(/^urn:oasis:names:tc:SAML:(1\.1|2\.0):nameid-format:/, '').slice(0, 200);

/** The whole text of the one element, without blanks around it. */
export const textOf = (elements: TextElement[] | undefined): string | undefined => elements?.[0]?._?.trim();

/** The first value of each attribute, by its name in lower case. */
function attributesOf({ AttributeStatement: statements = [] }: Assertion): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { $, AttributeValue: values } of statements.flatMap(({ Attribute }) => Attribute ?? [])) {
    const name = $?.Name?.toLowerCase();
    const value = values?.map((one) => (typeof one === 'string' ? one : one._)?.trim()).find(Boolean);
    if (name && value && !attributes.has(name)) attributes.set(name, value);
  }
  return attributes;
}
