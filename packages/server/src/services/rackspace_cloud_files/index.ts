// Containers of Rackspace's Cloud Files, which is a Swift with an identity service of its own, as file services.
import { type ConfigOf, configField as field } from '@sluice/contract';
import { fileType } from '../../storage/index.ts';
import { swiftLoginFields, swiftParts, swiftPlaceFields } from '../engines/swift-type.ts';

const identity = 'https://identity.api.rackspacecloud.com/v2.0';

const config = {
  ...swiftLoginFields,
  api_key: field.secret({ label: 'API Key', required: true, description: 'API key of that user.' }),
  url: field.string({
    label: 'URL',
    required: true,
    destination: true,
    description: 'Address of the identity service with its version.',
    default: identity,
  }),
  region: field.picklist({
    label: 'Region',
    required: true,
    destination: true,
    description: 'Region of the container.',
    values: [
      { label: 'Chicago', name: 'ORD', url: identity },
      { label: 'Dallas', name: 'DFW', url: identity },
      { label: 'London', name: 'LON', url: 'https://lon.identity.api.rackspacecloud.com/v2.0' },
    ],
  }),
  ...swiftPlaceFields,
};

/** Files in a container; `uploadLimit` in bytes. */
export const rackspaceCloudFiles = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'rackspace_cloud_files',
    label: 'Rackspace Cloud Files',
    description: 'File service supporting Rackspace Cloud Files Storage system.',
    config,
    ...swiftParts<ConfigOf<typeof config>>(({ api_key }) => api_key, true),
  });
