// An identity provider of SAML 2.0 in this process (samlp), whose accounts a test names; anybody signs in there by a name alone. And
// a browser without a window, to sign in at it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyPair, selfSigned } from './certificates.ts';

/** What a test changes of how the provider answers; the names are those of the library. */
export interface AnswerOptions {
  nameIdentifierFormat?: string;
  signAssertion?: boolean;
  signResponse?: boolean;
  signatureAlgorithm?: 'rsa-sha256' | 'rsa-sha1';
  digestAlgorithm?: 'sha256' | 'sha1';
  lifetimeInSeconds?: number;
  issuer?: string;
  audience?: string;
  recipient?: string;
  destination?: string;
  inResponseTo?: string;
  key?: string;
  cert?: string;
  /** PEM: assertions are encrypted for it. */
  encryptionCert?: string;
  encryptionPublicKey?: string;
  encryptionAlgorithm?: string;
  disallowEncryptionWithInsecureAlgorithm?: boolean;
  warnOnInsecureEncryptionAlgorithm?: boolean;
  /** The certificate that requests have to be signed with. */
  signingCert?: string;
  /** It refuses: a status code and a message. */
  refusal?: { code: string; description: string };
}

export interface SamlProvider extends KeyPair {
  entityId: string;
  /** Attributes of accounts, by their NameID. */
  accounts: Map<string, Record<string, string | string[]>>;
  /** How it answers from now on. */
  options: AnswerOptions;
  /** The configuration of a service of type `saml` for it. */
  config: Record<string, string>;
  stop(): Promise<void>;
}

/** What the provider has the browser send, and where to. */
export interface PostedAnswer {
  action: string;
  SAMLResponse: string;
  RelayState: string;
}

const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** An RSA key and a certificate that it signed itself. */
export const makeKeyPair = (bits = 2048): KeyPair => selfSigned('-newkey', `rsa:${bits}`, '-subj', '/CN=provider');

/** Starts a provider at a free port of `host`. */
export async function startSamlProvider(host = '127.0.0.1'): Promise<SamlProvider> {
  // It has no types of its own.
  const library = 'samlp';
  const { default: samlp } = await import(library);
  const pair = makeKeyPair();
  const server = createServer((request, response) => {
    answerPage(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider: SamlProvider = {
    ...pair,
    entityId: `${address}/metadata`,
    accounts: new Map(),
    options: {},
    config: {
      idp_entityId: `${address}/metadata`,
      idp_singleSignOnService_url: `${address}/sso`,
      idp_x509cert: pair.cert,
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', address);
    const account = url.searchParams.get('account');
    if (account === null) return void response.setHeader('content-type', 'text/html').end(signInPage(url));
    const express = Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
      send: (body: unknown) => (typeof body === 'number' ? response.writeHead(body).end() : response.end(String(body))),
    });
    const query = Object.fromEntries(url.searchParams);
    const incoming = Object.assign(request, { query, body: {} });
    const next = (error: unknown) => response.writeHead(400).end(String(error));
    const { refusal, ...options } = provider.options;
    samlp.parseRequest(incoming, {}, (error: unknown, sent: Record<string, string> | undefined) => {
      if (error) return next(error);
      const acs = sent?.assertionConsumerServiceURL ?? url.searchParams.get('acs') ?? '';
      const common = {
        ...{ issuer: provider.entityId, cert: pair.cert, key: pair.key, nameIdentifierFormat: nameIdFormat },
        ...{ recipient: acs, destination: acs, lifetimeInSeconds: 300, RelayState: query.RelayState ?? '' },
        ...(sent ? {} : { audience: url.searchParams.get('audience') }),
        ...options,
      };
      if (refusal)
        return samlp.sendError({
          ...{ ...common, inResponseTo: sent?.id, error: refusal },
          getPostURL: (_request: unknown, callback: Callback) => callback(null, acs),
        })(incoming, express, next);
      samlp.auth({
        ...common,
        getPostURL: (_audience: unknown, _dom: unknown, _request: unknown, callback: Callback) => callback(null, acs),
        getUserFromRequest: () => ({ account }),
        profileMapper: () => ({
          getClaims: () => provider.accounts.get(account) ?? {},
          getNameIdentifier: () => ({ nameIdentifier: account }),
          metadata: [],
        }),
      })(incoming, express, next);
    });
  }

  return provider;
}

type Callback = (error: unknown, value: string) => void;

const signInPage = (url: URL): string => {
  const hidden = [...url.searchParams].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeText(value)}">`,
  );
  return `<!doctype html><title>Provider</title><form>${hidden.join('')}<input name="account" placeholder="Account"><button>Sign in</button></form>`;
};

const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** Signs in at an address of the provider as an account, and answers what the browser is to send. */
export async function signInAtSaml(address: string, account: string): Promise<PostedAnswer> {
  const url = new URL(address);
  url.searchParams.set('account', account);
  const response = await fetch(url);
  const page = await response.text();
  const readInput = (pattern: RegExp) => unescapeText(pattern.exec(page)?.[1] ?? '');
  const answer = {
    action: readInput(/action="([^"]*)"/),
    SAMLResponse: readInput(/name="SAMLResponse"\s+value="([^"]*)"/),
    RelayState: readInput(/name="RelayState"\s+value="([^"]*)"/),
  };
  if (!answer.SAMLResponse) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 500)}`);
  return answer;
}

const unescapeText = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
