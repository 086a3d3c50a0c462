// Containers of OpenStack's object store (Swift) as file services.
import { type ConfigOf, configField as field } from '@sluice/contract';
import { fileType } from '../../storage/index.ts';
import { swiftLoginFields, swiftParts, swiftPlaceFields } from '../engines/swift-type.ts';

const config = {
  ...swiftLoginFields,
  password: field.secret({ label: 'Password', required: true, description: 'Password of that user.' }),
  url: field.string({
    label: 'URL',
    required: true,
    destination: true,
    description:
      'Address of the identity service (Keystone) with its version, such as https://keystone.example.com:5000/v3; /v2.0 is spoken, too.',
  }),
  region: field.string({
    label: 'Region',
    destination: true,
    description: 'Region of the object store, as the catalogue of the identity service names it. Blank: the first.',
  }),
  ...swiftPlaceFields,
  domain: field.string({
    label: 'Domain',
    usual: 'Default',
    destination: true,
    description: 'Name of the domain of the user and of the project, for /v3. Blank: Default.',
  }),
};

/** Files in a container; `uploadLimit` in bytes. */
export const openstackObjectStorage = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'openstack_object_storage',
    label: 'OpenStack Object Storage',
    description: 'File service supporting OpenStack Object Storage system.',
    config,
    ...swiftParts<ConfigOf<typeof config>>(({ password }) => password, false),
  });
