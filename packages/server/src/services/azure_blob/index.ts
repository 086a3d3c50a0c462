// Containers of Azure's blobs as file services. What an object store becomes a container by is in server/src/storage/objects.ts.
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { fileType, pathFields } from '../../storage/index.ts';
import { objectStorage } from '../../storage/objects.ts';
import { checkEndpoint, endpointField, trimmed } from '../engines/endpoint.ts';

const config = {
  account_name: field.text({
    label: 'Account Name',
    required: true,
    destination: true,
    description: 'Name of the storage account.',
  }),
  account_key: field.secret({ label: 'Account Key', required: true, description: 'One of the keys of the account.' }),
  protocol: field.picklist({
    label: 'Protocol',
    required: true,
    destination: true,
    description: 'How the account is reached, unless an endpoint says it.',
    default: 'https',
    values: ['https', 'http'].map((name) => ({ label: name, name })),
  }),
  ...pathFields({
    label: 'Container',
    description: 'Name of the container, made when it is missing.',
    destination: true,
  }),
  endpoint: endpointField(
    'Address of the account on another server or in another cloud, such as http://127.0.0.1:10000/devstoreaccount1. Blank: that of the public cloud.',
  ),
};

type Config = ConfigOf<typeof config>;

const urlOf = ({ endpoint, protocol, account_name }: Config): string =>
  trimmed(endpoint) ?? `${protocol === 'http' ? 'http' : 'https'}://${trimmed(account_name)}.blob.core.windows.net`;

/** Files in a container; `uploadLimit` in bytes. */
export const azureBlob = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'azure_blob',
    label: 'Azure Blob Storage',
    description: 'File service supporting the Azure Blob Storage file system.',
    config,
    check({ endpoint, account_key }) {
      checkEndpoint(endpoint);
      const message = 'The account_key must be base64, as Azure shows it.';
      if (account_key && !/^(\{.*\}|[A-Za-z0-9+/]+={0,2})$/.test(account_key.trim()))
        throw fail('record.invalid', { messages: [message] }, { context: { account_key: [message] } });
    },
    address: (config) => `${urlOf(config)}/${trimmed(config.container) ?? ''}`,
    async test(config) {
      await openStore(config);
    },
    open: async (config) => objectStorage(await openStore(config)),
  });

async function openStore(config: Config) {
  // The library is large and most instances need none of it.
  const { openBlobStore } = await import('./blob-store.ts');
  return openBlobStore({
    url: urlOf(config),
    account: trimmed(config.account_name) ?? '',
    key: trimmed(config.account_key) ?? '',
    container: trimmed(config.container) ?? '',
  });
}
