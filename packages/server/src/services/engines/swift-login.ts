// How a token of OpenStack's identity service (Keystone) is got, versions 2 and 3, and of Rackspace's, which is a version 2
// with keys. Its catalogue says where the object store of a region is.
import { fail } from '@sluice/contract';
import { readJson, type SwiftOptions, sendCall } from './swift-call.ts';

export interface SwiftSession {
  token: string;
  /** Of the account, without a slash at the end. */
  url: string;
  /** When the token is renewed: a little before it ends. */
  until: number;
}

interface Endpoint {
  region?: string;
  region_id?: string;
  interface?: string;
  publicURL?: string;
  url?: string;
}

interface Catalogue {
  type: string;
  endpoints?: Endpoint[];
}

const early = 60_000;
/** A token without an end is renewed now and then. */
const usualLife = 30 * 60_000;

/** Signs in. */
export async function openSession(options: SwiftOptions): Promise<SwiftSession> {
  const address = options.identityUrl.replace(/\/+$/, '');
  const isV2 = /\/v2(\.0)?$/.test(address);
  const base = /\/v[23](\.0)?$/.test(address) ? address : `${address}/v3`;
  const response = await sendCall(isV2 ? `${base}/tokens` : `${base}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ auth: isV2 ? authOfV2(options) : authOfV3(options) }),
  });
  const answer = (await readJson(response)) as Answer;
  if (!response.ok) {
    const text = answer.error?.message ?? answer.unauthorized?.message ?? `${response.status} ${response.statusText}`;
    throw response.status === 401 || response.status === 403
      ? fail('file.loginRefused', { text: options.words(text) })
      : fail('file.storageFailed', { text: options.words(text) });
  }
  const token = isV2 ? answer.access?.token?.id : (response.headers.get('x-subject-token') ?? undefined);
  if (!token) throw fail('file.storageFailed', { text: 'its identity service gave no token' });
  const catalogue = (isV2 ? answer.access?.serviceCatalog : answer.token?.catalog) ?? [];
  const ends = Date.parse((isV2 ? answer.access?.token?.expires : answer.token?.expires_at) ?? '');
  return {
    token,
    url: (options.endpoint ?? storeOf(catalogue, options.region)).replace(/\/+$/, ''),
    until: (Number.isNaN(ends) ? Date.now() + usualLife : ends) - early,
  };
}

interface Answer {
  access?: { token?: { id?: string; expires?: string }; serviceCatalog?: Catalogue[] };
  token?: { expires_at?: string; catalog?: Catalogue[] };
  error?: { message?: string };
  unauthorized?: { message?: string };
}

const authOfV2 = ({ username, tenant, secret, isApiKey }: SwiftOptions) =>
  isApiKey
    ? { 'RAX-KSKEY:apiKeyCredentials': { username, apiKey: secret } }
    : { passwordCredentials: { username, password: secret }, tenantName: tenant };

const authOfV3 = ({ username, tenant, secret, domain }: SwiftOptions) => ({
  identity: {
    methods: ['password'],
    password: { user: { name: username, password: secret, domain: { name: domain } } },
  },
  scope: { project: { name: tenant, domain: { name: domain } } },
});

/** The public address of the object store in a region, the first one where no region is given. */
function storeOf(catalogue: Catalogue[], region: string | undefined): string {
  const wanted = region?.toLowerCase();
  const found = catalogue
    .filter(({ type }) => type === 'object-store')
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter((endpoint) => (endpoint.interface ?? 'public') === 'public')
    .find(
      (endpoint) => !wanted || [endpoint.region, endpoint.region_id].some((name) => name?.toLowerCase() === wanted),
    );
  const url = found?.publicURL ?? found?.url;
  if (!url || !URL.canParse(url))
    throw fail('file.storageFailed', {
      text: `its catalogue has no object store${region ? ` in the region ${region.slice(0, 100)}` : ''}`,
    });
  return url;
}
