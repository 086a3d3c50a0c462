// What the network did on the way to a storage, in words of the catalogue.
import { Failure, fail } from '@sluice/contract';

/** Codes of Node and their words. The address is left out: callers have no business with it. */
const networkProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its server refuses connections',
  ECONNRESET: 'its server broke the connection off',
  EPIPE: 'its server broke the connection off',
  UND_ERR_SOCKET: 'its server broke the connection off',
  ENOTFOUND: 'the name of its server is not known',
  EAI_AGAIN: 'the name of its server is not known',
  EHOSTUNREACH: 'no way leads to its server',
  ENETUNREACH: 'no way leads to its server',
  ENETDOWN: 'no way leads to its server',
  ETIMEDOUT: 'its server does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'its server does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of its server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of its server is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of its server is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of its server is not trusted',
  CERT_HAS_EXPIRED: 'the certificate of its server has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of its server is for another name',
  EPROTO: 'its server speaks no TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'its server speaks no TLS there',
};

/** The same of a server that is called `it` in a message that names it: of a broker, or a push service. */
export const serverProblems: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'it refuses connections'],
  ['ECONNRESET', 'it broke the connection off'],
  ['ENOTFOUND', 'its name is not known'],
  ['EAI_AGAIN', 'its name is not known'],
  ['EHOSTUNREACH', 'no way leads to it'],
  ['ENETUNREACH', 'no way leads to it'],
  ['ETIMEDOUT', 'it took too long'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
]);

/** A failure of the network, or of the catalogue already; undefined for other errors. */
export function networkFailure(error: unknown): Failure | undefined {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (cause instanceof Failure) return cause;
    const { code, errors } = cause as Error & { code?: unknown; errors?: unknown[] };
    const problem = typeof code === 'string' && Object.hasOwn(networkProblems, code) && networkProblems[code];
    if (problem) return fail('file.unreachable', { text: problem }, { cause: error });
    cause = cause.cause ?? errors?.[0];
  }
  return undefined;
}

/** Words of a server for a message: one line without secrets, without the full stop that messages have. */
export function serverWords(text: string, secrets: readonly (string | null | undefined)[] = []): string {
  const line = text.split('\n')[0]?.replace(/\p{Cc}/gu, '') ?? '';
  if (secrets.some((secret) => secret && line.includes(secret))) return 'no reason that could be shown';
  return line.slice(0, 300).replace(/\.\s*$/, '') || 'no reason';
}
