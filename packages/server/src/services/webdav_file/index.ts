// Folders of WebDAV servers as file services. The calls are the same for every file service (server/src/storage).
import { configField as field } from '@sluice/contract';
import { fileType, pathFields } from '../../storage/index.ts';
import { checkFolder, refuseField, testStorage } from '../../storage/remote-config.ts';
import type { Storage } from '../../storage/storage.ts';
import type { DavServer } from './dav-client.ts';
import { openWebdavStorage } from './webdav-storage.ts';

const authTypes = { basic: 1, digest: 2, ntlm: 4 };
const encodings = new Map([
  [1, 'identity'],
  [2, 'deflate'],
  [4, 'gzip'],
]);

/** Files of a WebDAV server; `uploadLimit` in bytes. */
export const webdavFile = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'webdav_file',
    label: 'WebDAV File Storage',
    description: 'File service supporting the WebDAV protocol.',
    config: {
      base_uri: field.string({
        label: 'Base URI',
        required: true,
        destination: true,
        description: 'Address of the server, http:// or https://, without user name and password.',
      }),
      username: field.string({
        label: 'Username',
        destination: true,
        description: 'The account of the server that the service signs in with.',
      }),
      password: field.secret({ label: 'Password', description: 'Its password.' }),
      auth_type: field.picklist({
        label: 'Authentication Type',
        destination: true,
        description: 'How the service signs in. None: as the server asks, Digest or Basic. NTLM is not available.',
        values: [
          { label: 'None', name: null },
          { label: 'Basic', name: authTypes.basic },
          { label: 'Digest', name: authTypes.digest },
          { label: 'NTLM', name: authTypes.ntlm },
        ],
      }),
      encoding: field.picklist({
        label: 'Encoding',
        description: 'How the server may compress what it sends.',
        values: [
          { label: 'None', name: null },
          { label: 'Identity', name: 1 },
          { label: 'Deflate', name: 2 },
          { label: 'Gzip', name: 4 },
        ],
      }),
      proxy: field.string({
        label: 'Proxy',
        destination: true,
        description: 'HTTP proxy that leads to the server, as host:port. It must ask for no login.',
      }),
      ...pathFields({
        label: 'Root folder/Path prefix',
        description: 'Folder below the base URI; / is the base URI itself. It is made when it is missing.',
      }),
    },
    check(config) {
      baseOf(config.base_uri);
      proxyOf(config.proxy);
      checkFolder(config.container);
      if (Number(config.auth_type) === authTypes.ntlm)
        throw refuseField('auth_type', 'The auth_type NTLM is not available: choose Basic or Digest.');
    },
    address({ base_uri, proxy }) {
      const base = base_uri?.trim();
      return base && proxy?.trim() ? `${base} (${proxy.trim()})` : base || undefined;
    },
    test: (config) => testStorage(openWebdav(config)),
    open: openWebdav,
  });

interface WebdavConfig {
  base_uri: string | null;
  username: string | null;
  password: string | null;
  auth_type: string | number | null;
  encoding: string | number | null;
  proxy: string | null;
  container: string | null;
}

async function openWebdav(config: WebdavConfig): Promise<Storage> {
  const { base_uri, username, password, auth_type, encoding, proxy, container } = config;
  const base = baseOf(base_uri);
  const folders = (container?.trim() ?? '').split('/').filter((part) => part !== '' && part !== '.');
  base.pathname = [base.pathname.replace(/\/+$/, ''), ...folders.map(encodeURIComponent)].join('/');
  const auth: Record<number, DavServer['auth']> = { [authTypes.basic]: 'basic', [authTypes.digest]: 'digest' };
  return openWebdavStorage({
    base,
    username: username ?? '',
    password: password ?? '',
    auth: auth[Number(auth_type)],
    encoding: encodings.get(Number(encoding)),
    proxy: proxyOf(proxy),
  });
}

/** The base address. Throws where the text is none, or holds a login, which would be shown. */
function baseOf(text: string | null): URL {
  const base = parseUrl(text?.trim() ?? '');
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash)
    throw refuseField('base_uri', 'The base_uri must be a plain http or https address, without user name, ? and #.');
  return base;
}

function proxyOf(text: string | null): URL | undefined {
  const plain = text?.trim();
  if (!plain) return undefined;
  const proxy = parseUrl(plain.includes('://') ? plain : `http://${plain}`);
  if (proxy?.protocol !== 'http:' || proxy.username || proxy.password || proxy.pathname !== '/')
    throw refuseField('proxy', 'The proxy must be host:port of an HTTP proxy that asks for no login.');
  return proxy;
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
