// A Swift of the tests in this process, with its identity service: what the calls of ours need of both, kept in memory. It is
// quick where the real one (file-servers/swift-server.py) takes its time; SLUICE_TEST_SWIFT=real has the tests use that.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The account of either. */
export const swiftAccount = { username: 'tester', tenant_name: 'test', password: 'testing', api_key: 'api-key' };

interface StoredObject {
  bytes: Buffer;
  type: string;
  hash: string;
  modified: Date;
}

const token = 'a-token';
const accountPath = '/v1/AUTH_test/';

export async function startSmallSwift(): Promise<{ url: string; stop(): Promise<void> }> {
  const containers = new Map<string, Map<string, StoredObject>>();
  const server = createServer((request, response) => {
    answer(request, response, containers).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, stop };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  containers: Map<string, Map<string, StoredObject>>,
): Promise<void> {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '', `http://${headers.host}`);
  const end = (status: number, sent: Record<string, string | number> = {}, body: string | Buffer = '') => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...sent });
    response.end(method === 'HEAD' ? undefined : body);
  };
  // An upload that breaks off ends here, and nothing was written.
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);

  if (url.pathname.endsWith('/tokens')) {
    const isV3 = url.pathname === '/v3/auth/tokens';
    const found = signIn(JSON.parse(bytes.toString()).auth, isV3, `${url.origin}${accountPath}`);
    const refusal = { error: { message: 'The request you have made requires authentication.' } };
    return end(found ? 200 : 401, isV3 ? { 'x-subject-token': token } : {}, JSON.stringify(found ?? refusal));
  }
  if (headers['x-auth-token'] !== token) return end(401);
  const [name = '', ...parts] = url.pathname.slice(accountPath.length).split('/').map(decodeURIComponent);
  const objects = containers.get(name);
  if (parts.length === 0) {
    if (method === 'PUT') containers.set(name, objects ?? new Map());
    if (method !== 'GET') return end(method === 'PUT' ? 201 : objects ? 204 : 404);
    return objects ? end(200, {}, JSON.stringify(listingOf(objects, url.searchParams))) : end(404);
  }
  if (!objects) return end(404);
  const key = parts.join('/');
  const object = objects.get(key);
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && object) return end(412);
    const source = String(headers['x-copy-from'] ?? '')
      .split('/')
      .map(decodeURIComponent);
    const copied = objects.get(source.slice(2).join('/'));
    if (headers['x-copy-from'] && !copied) return end(404);
    const type = String(headers['content-type'] ?? 'application/octet-stream');
    const hash = createHash('md5').update(bytes).digest('hex');
    objects.set(key, copied ? { ...copied, modified: new Date() } : { bytes, type, hash, modified: new Date() });
    return end(201);
  }
  if (!object) return end(404);
  if (method === 'DELETE') {
    objects.delete(key);
    return end(204);
  }
  const facts = { etag: object.hash, 'content-type': object.type, 'last-modified': object.modified.toUTCString() };
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
  if (!range) return end(200, facts, object.bytes);
  return end(206, facts, object.bytes.subarray(Number(range[1]), Number(range[2]) + 1));
}

/** The answer to a login with its catalogue; undefined when it is not that of the account. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of the two versions
function signIn(auth: any, isV3: boolean, url: string): object | undefined {
  const { username, tenant_name, password, api_key } = swiftAccount;
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const nowhere = 'http://127.0.0.1:9/';
  if (isV3) {
    const domain = { name: 'Default' };
    const good = {
      identity: { methods: ['password'], password: { user: { name: username, password, domain } } },
      scope: { project: { name: tenant_name, domain } },
    };
    const endpoints = [
      { region: 'RegionTwo', interface: 'public', url: nowhere },
      { region: 'RegionOne', interface: 'internal', url: nowhere },
      { region: 'RegionOne', interface: 'public', url },
    ];
    if (JSON.stringify(auth) !== JSON.stringify(good)) return undefined;
    return { token: { expires_at: expires, catalog: [{ type: 'object-store', endpoints }] } };
  }
  const good = [
    { passwordCredentials: { username, password }, tenantName: tenant_name },
    { 'RAX-KSKEY:apiKeyCredentials': { username, apiKey: api_key } },
  ];
  if (!good.some((login) => JSON.stringify(login) === JSON.stringify(auth))) return undefined;
  const endpoints = [
    { region: 'DFW', publicURL: nowhere },
    { region: 'ORD', publicURL: url },
  ];
  const serviceCatalog = [
    { type: 'rax:cdn', endpoints: [{ region: 'ORD', publicURL: nowhere }] },
    { type: 'object-store', endpoints },
  ];
  return { access: { token: { id: token, expires }, serviceCatalog } };
}

function listingOf(objects: Map<string, StoredObject>, query: URLSearchParams): object[] {
  const prefix = query.get('prefix') ?? '';
  const marker = query.get('marker') ?? '';
  const delimiter = query.get('delimiter');
  const items = new Map<string, object>();
  for (const key of [...objects.keys()].sort()) {
    if (!key.startsWith(prefix)) continue;
    const slash = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const name = slash < 0 ? key : key.slice(0, slash + 1);
    if (name <= marker) continue;
    const { bytes, hash, type, modified } = objects.get(key) as StoredObject;
    const last_modified = modified.toISOString().replace('Z', '000');
    items.set(
      name,
      slash < 0 ? { name, bytes: bytes.length, hash, content_type: type, last_modified } : { subdir: name },
    );
    if (items.size === Number(query.get('limit') ?? 10_000)) break;
  }
  return [...items.values()];
}
