// Types of object storages that are reached as OpenStack's Swift is: services/<type> says how one signs in.
import { fail, configField as field } from '@sluice/contract';
import { pathFields } from '../../storage/index.ts';
import { serverWords } from '../../storage/network.ts';
import { objectStorage } from '../../storage/objects.ts';
import type { Storage } from '../../storage/storage.ts';
import { checkEndpoint, endpointField, trimmed } from './endpoint.ts';
import type { SwiftOptions } from './swift-call.ts';

export const swiftLoginFields = {
  username: field.string({
    label: 'Username',
    required: true,
    destination: true,
    description: 'The user the service signs in as.',
  }),
  tenant_name: field.string({
    label: 'Tenant Name',
    required: true,
    destination: true,
    description: 'The project, or tenant, that the container belongs to.',
  }),
};

export const swiftPlaceFields = {
  ...pathFields({
    label: 'Container',
    description: 'Name of the container, made when it is missing.',
    destination: true,
  }),
  endpoint: endpointField(
    'Address of the account in the object store, with its version and name, such as https://swift.example.com/v1/AUTH_42. Blank: what the identity service says for the region.',
  ),
};

export interface SwiftConfig {
  username: string | null;
  tenant_name: string | null;
  url: string | null;
  region: string | number | null;
  domain?: string | null;
  container: string | null;
  endpoint: string | null;
}

/** What is the same for such types. */
export const swiftParts = <C extends SwiftConfig>(secretOf: (config: C) => string | null, isApiKey: boolean) => ({
  check({ url, endpoint, container }: C) {
    checkEndpoint(url, 'url');
    checkEndpoint(endpoint);
    checkContainer(container);
  },
  address: ({ url, endpoint, region, container }: C) =>
    `${trimmed(endpoint) ?? [trimmed(url), trimmed(String(region ?? ''))].filter(Boolean).join(' ')}/${trimmed(container) ?? ''}`,
  async test(config: C) {
    await openStore(config, secretOf(config), isApiKey);
  },
  open: async (config: C): Promise<Storage> => objectStorage(await openStore(config, secretOf(config), isApiKey)),
});

async function openStore(config: SwiftConfig, secret: string | null, isApiKey: boolean) {
  const options: SwiftOptions = {
    identityUrl: trimmed(config.url) ?? '',
    username: trimmed(config.username) ?? '',
    tenant: trimmed(config.tenant_name) ?? '',
    secret: secret ?? '',
    isApiKey,
    domain: trimmed(config.domain) ?? 'Default',
    region: trimmed(String(config.region ?? '')),
    endpoint: trimmed(config.endpoint),
    container: trimmed(config.container) ?? '',
    words: (text) => serverWords(text, [secret]),
  };
  const { openSwiftStore } = await import('./swift-store.ts');
  return openSwiftStore(options);
}

/** A slash would begin the name of an object. */
function checkContainer(container: string | null): void {
  if (!container?.includes('/')) return;
  const message = 'The container must be a name without slashes.';
  throw fail('record.invalid', { messages: [message] }, { context: { container: [message] } });
}
