// A provider of OpenID Connect in this process (oidc-provider), whose accounts a test names; anybody's password is right there. And a
// browser that has cookies, without a window, to sign in at it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
  given_name?: string;
  family_name?: string;
}

export interface SignInProvider {
  issuer: string;
  /** By the id of an account; it is asked whenever somebody signs in. */
  accounts: Map<string, ProviderAccount>;
  /** The configuration of a service of type `oidc` for it. */
  config: Record<string, unknown> & { client_id: string; client_secret: string };
  stop(): Promise<void>;
}

/** The client that another program is at the same provider. */
export const otherClient = { client_id: 'another', client_secret: 'another secret' };

/** Starts a provider that sends people back to `redirectUrl`. */
export async function startSignInProvider(redirectUrl: string): Promise<SignInProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const own = { client_id: 'sluice', client_secret: 'the secret of this instance' };
  // It has no types of its own.
  const library = 'oidc-provider';
  const { default: Provider } = await import(library);
  const client = { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'client_secret_post' };
  const provider = new Provider(issuer, {
    clients: [own, otherClient].map((names) => ({ ...names, ...client })),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => false },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    accounts,
    config: {
      ...own,
      discovery_document: `${issuer}/.well-known/openid-configuration`,
      redirect_url: redirectUrl,
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs in at an address of the provider as an account, and answers where the provider sends the browser back to. */
export async function signInAt(address: string, account: string, redirectUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = address;
  let form: Record<string, string> | undefined;
  for (let hop = 0; hop < 12; hop++) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) {
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!prompt) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 500)}`);
      form = prompt === 'login' ? { prompt, login: account, password: 'any' } : { prompt };
      continue;
    }
    form = undefined;
    url = new URL(location, url).href;
    if (url.startsWith(redirectUrl)) return new URL(url);
  }
  throw new Error('the provider does not come to an end');
}
