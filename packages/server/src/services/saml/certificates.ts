// Certificates and keys as people paste them: PEM, with its lines or without, or the base64 alone.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Certificates of a provider: the one in use, and the one that follows it. */
const maxCertificates = 10;
/** Bits of an RSA key that is taken. */
const minBits = 2048;

/** Certificates of a text, as PEM; throws with what is wrong with it. Who issued one and until when it runs is not looked at. */
export function readCertificates(text: string): string[] {
  const blocks = pemBlocks(text, ['CERTIFICATE']);
  if (blocks.length === 0 || blocks.length > maxCertificates) throw new Error('must be a certificate');
  return blocks.map((block) => {
    const certificate = certificateOf(block);
    if (!certificate) throw new Error('must be a certificate');
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType !== 'rsa') throw new Error('must be a certificate of an RSA key');
    if ((asymmetricKeyDetails?.modulusLength ?? 0) < minBits)
      throw new Error(`must be a certificate of a key of ${minBits} bits or more`);
    return certificate.toString();
  });
}

/** The RSA key of a text, as PEM (PKCS #8). */
export function readPrivateKey(text: string): string {
  for (const block of pemBlocks(text, ['PRIVATE KEY', 'RSA PRIVATE KEY'])) {
    const key = privateKeyOf(block);
    if (key?.asymmetricKeyType === 'rsa') return String(key.export({ type: 'pkcs8', format: 'pem' }));
  }
  throw new Error('must be an RSA key without a passphrase');
}

/** Whether a certificate is that of a key, both as PEM. */
export const isCertificateOf = (certificate: string, key: string): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The blocks of a text with lines of 64 characters again; a text without any is tried as the content of one of `labels`. */
function pemBlocks(text: string, labels: string[]): string[] {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)];
  if (blocks.length > 0) return blocks.map(([, label = '', content = '']) => pemOf(label, content));
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? labels.map((label) => pemOf(label, text)) : [];
}

const pemOf = (label: string, content: string): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(content.replace(/\s+/g, '').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
    '',
  ].join('\n');
