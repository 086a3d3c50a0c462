// What a provider's answer looks like from outside, before anything in it is believed: its size and form, how it is signed, and what
// it says of itself. Parsed by the parser that the signature is checked with, so that both see the same document.
import type { decryptXml, parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';

/** The XML of the library; what of it is used here. */
export interface Xml {
  parseDomFromString: typeof parseDomFromString;
  decryptXml: typeof decryptXml;
  xpath: typeof xpath;
}

/** An element as the parser has it. */
export interface Element {
  localName: string;
  namespaceURI: string | null;
  parentNode: Element | null;
  textContent: string | null;
  getAttribute(name: string): string | null;
  toString(): string;
}

/**
 * Elements of a message, their attributes, and how deep they are nested: a check of a signature takes some 50 ms for as many, and more
 * than linearly so. A person in 200 groups has as many.
 */
const maxElements = 300;
const maxAttributes = 700;
const maxDepth = 40;

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const signatures = 'http://www.w3.org/2000/09/xmldsig#';
const encryption = 'http://www.w3.org/2001/04/xmlenc#';

/** Of signatures and of encryption, by the element that names them: what is not here is refused, SHA-1 and RSA PKCS #1 1.5 above all. */
const algorithms: Record<string, readonly string[]> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  CanonicalizationMethod: [
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  Transform: [`${signatures}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  DigestMethod: [`${encryption}sha256`, `${encryption}sha512`],
  EncryptionMethod: [
    ...['http://www.w3.org/2009/xmlenc11#aes256-gcm', 'http://www.w3.org/2009/xmlenc11#aes128-gcm'],
    ...[`${encryption}aes256-cbc`, `${encryption}aes128-cbc`, `${encryption}rsa-oaep-mgf1p`],
  ],
};

/** The state of the request that an answer is to, as it says; undefined where it is to none, or says so in an odd way. */
export const stateOf = (xml: string): string | undefined =>
  /\sInResponseTo\s*=\s*["']_([A-Za-z0-9_-]{40})["']/.exec(xml)?.[1];

/** What an answer says of itself; of one whose assertion alone is signed, nobody signed it. */
export interface Envelope {
  root: Element;
  assertion: Element | undefined;
  isEncrypted: boolean;
  /** Whether the whole and whether the assertion has a signature, which then has to be right. */
  isSigned: boolean;
  isAssertionSigned: boolean;
}

/** Reads the outer form of an answer; throws where it is none, or is not made as a provider makes it. */
export async function readEnvelope(text: string, xml: Xml): Promise<Envelope> {
  const root = await parse(text, xml);
  if (root.localName !== 'Response' || root.namespaceURI !== protocol) throw new Error('it is no Response');
  const elements = elementsOf(root, xml);
  // One alone, and there: what another one would be for is to have the wrong one read (signature wrapping).
  const assertions = elements.filter(({ localName }) => /^(Encrypted)?Assertion$/i.test(localName));
  const [assertion] = assertions;
  if (assertions.length > 1 || (assertion && assertion.parentNode !== root))
    throw new Error('it has more than one assertion, or one in an odd place');
  const isEncrypted = assertion?.localName === 'EncryptedAssertion';
  const signed = checkSignatures(elements, isEncrypted ? [root] : [root, assertion]);
  return {
    ...{ root, assertion, isEncrypted, isSigned: signed.includes(root) },
    isAssertionSigned: assertion !== undefined && signed.includes(assertion),
  };
}

/** Whether the assertion in an encrypted one is signed; throws as `readEnvelope` does. */
export async function readEncrypted(assertion: Element, key: string, xml: Xml): Promise<boolean> {
  const root = await parse(await xml.decryptXml(assertion.toString(), key), xml);
  const elements = elementsOf(root, xml);
  const assertions = elements.filter(({ localName }) => /^(Encrypted)?Assertion$/i.test(localName));
  if (root.localName !== 'Assertion' || assertions.length !== 1) throw new Error('it holds no assertion');
  return checkSignatures(elements, [root]).includes(root);
}

async function parse(text: string, xml: Xml): Promise<Element> {
  checkForm(text);
  const { documentElement } = await xml.parseDomFromString(text);
  return documentElement as unknown as Element;
}

/** What no message has: document types and entities, comments, CDATA, instructions; and more than anyone needs. One pass. */
function checkForm(text: string): void {
  const body = text.replace(/^\s*<\?xml [^<>]*\?>/, '');
  if (/<[!?]/.test(body)) throw new Error('it has a document type, comments or instructions');
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  for (const [tag] of body.matchAll(/<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>?/g)) {
    attributes += tag.match(/=\s*["']/g)?.length ?? 0;
    if (attributes > maxAttributes) throw new Error('it has too many attributes');
    if (tag.startsWith('</')) depth--;
    else if (++elements > maxElements) throw new Error('it has too many elements');
    else if (!tag.endsWith('/>') && ++depth > maxDepth) throw new Error('it is nested too deep');
  }
}

const elementsOf = (root: Element, xml: Xml): Element[] =>
  xml.xpath.selectElements(root as never, '//*') as unknown as Element[];

/** The elements that are signed: each of `places` may have one signature, as a child, and nothing else has any. */
function checkSignatures(elements: Element[], places: (Element | undefined)[]): Element[] {
  const signed: Element[] = [];
  for (const element of elements) {
    checkAlgorithm(element);
    if (element.localName !== 'Signature') continue;
    const { parentNode, namespaceURI } = element;
    if (namespaceURI !== signatures || !parentNode || !places.includes(parentNode) || signed.includes(parentNode))
      throw new Error('it has a signature in an odd place');
    signed.push(parentNode);
  }
  return signed;
}

function checkAlgorithm(element: Element): void {
  const { localName, parentNode } = element;
  if (!Object.hasOwn(algorithms, localName)) return;
  // Of the padding of an encrypted key, where SHA-1 breaks nothing.
  if (localName === 'DigestMethod' && parentNode?.localName === 'EncryptionMethod') return;
  const algorithm = element.getAttribute('Algorithm') ?? '';
  if (!algorithms[localName]?.includes(algorithm))
    throw new Error(`its ${localName} "${algorithm.slice(0, 200)}" is not taken`);
}
