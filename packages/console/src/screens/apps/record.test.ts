import { expect, it } from 'vitest';
import {
  emptyApp,
  type FileService,
  fileServices,
  hasFiles,
  previewUrl,
  toForm,
  toRecord,
  withLocation,
} from './record.ts';

const files: FileService[] = [
  { id: 9, name: 'bucket', label: 'Bucket', type: 'aws_s3' },
  { id: 3, name: 'files', label: 'Files', type: 'local_file' },
];

it('begins with what the documents say (OPEN-106, OPEN-107)', () => {
  expect(emptyApp).toMatchObject({ name: '', description: '', path: '', url: '', type: 0, role_id: null });
  expect(toRecord(emptyApp)).not.toHaveProperty('api_key');
});

it.each([
  [0, []],
  [1, ['path', 'storage_container', 'storage_service_id']],
  [2, ['url']],
  [3, ['path']],
] as const)(
  'sends for type %i only what that place has (APP-012, APP-013, APP-014, APP-015, OPEN-105)',
  (type, fields) => {
    const form = {
      ...emptyApp,
      type,
      url: ' https://x.example ',
      path: 'a.html',
      storage_service_id: 3,
      storage_container: 'c',
    };
    const sent = toRecord(form);
    const places = ['path', 'storage_container', 'storage_service_id', 'url'];
    expect(places.filter((field) => field in sent)).toEqual(fields);
    expect(sent.type).toBe(type);
    if (type === 2) expect(sent.url).toBe('https://x.example');
  },
);

it('never sends what the server works out, nor the role itself', () => {
  const loaded = { id: 4, name: 'shop', api_key: 'k', launch_url: 'u', role_id: 2, role_by_role_id: { id: 2 } };
  expect(Object.keys(toRecord(toForm(loaded))).sort()).toEqual(
    ['description', 'id', 'is_active', 'lookup_by_app_id', 'name', 'role_id', 'type'].sort(),
  );
});

it('begins a file storage with the local file service, its folder and its page (APP-010, APP-011, APP-016)', () => {
  expect(withLocation(emptyApp, 1, files)).toMatchObject({
    type: 1,
    storage_service_id: 3,
    storage_container: 'applications',
    path: 'index.html',
  });
  const mine = { ...emptyApp, storage_service_id: 9, storage_container: 'own', path: 'start.html' };
  expect(withLocation(mine, 1, files)).toMatchObject({ ...mine, type: 1 });
  expect(withLocation(emptyApp, 1, []).storage_service_id).toBeNull();
});

it('offers only services that keep files (APP-029)', () => {
  const types = [
    'local_file',
    'aws_s3',
    'azure_blob',
    'rackspace_cloud_files',
    'openstack_object_storage',
    'ftp_file',
    'sftp_file',
    'gridfs',
  ];
  const services = [...types, 'sqlite', 'github'].map((type, id) => ({ id, name: type, label: null, type }));
  expect(fileServices(services).map(({ type }) => type)).toEqual(types);
});

it('tells where the app opens (OPEN-104)', () => {
  const at = (set: object) => previewUrl({ ...emptyApp, ...set }, 'https://h', files);
  expect(at({ type: 1, storage_service_id: 3, storage_container: 'c', path: '/i.html' })).toBe(
    'https://h/files/c/i.html',
  );
  expect(at({ type: 3, path: '/shop/' })).toBe('https://h/shop/');
  expect(at({ type: 2, url: 'https://x' })).toBeNull();
  expect(at({ type: 0 })).toBeNull();
});

it('knows which apps have files with the server', () => {
  const folder = { storage_service_id: 3, storage_container: 'shop' };
  expect(
    [
      { type: 1, ...folder },
      { type: 1, ...folder, storage_container: '/' },
      { type: 1, ...folder, storage_service_id: null },
      { type: 2, ...folder },
    ].map(hasFiles),
  ).toEqual([true, false, false, false]);
});
