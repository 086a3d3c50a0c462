import {
  flag,
  id,
  integer,
  name,
  type RecordOf,
  resource,
  stampRelations,
  stamps,
  text,
  textLengths,
} from '../resource.ts';

/** `type` of an app: where its pages are (contract/system-resources.md §4). */
export const appType = { none: 0, storage: 1, url: 2, path: 3 } as const;

/** An application: an API key, a default role, and pages to open (contract/system-resources.md §4). */
export const app = resource({
  name: 'app',
  label: 'Apps',
  description: 'Applications: an API key, a default role, and pages to open.',
  fields: {
    id: id(),
    name: name({ max: 64, unique: true }),
    api_key: text({ min: 64, max: 255 }),
    description: text({ max: 255 }),
    is_active: flag(false),
    type: integer({ default: 0 }),
    path: text({ max: textLengths.address }),
    url: text({ max: textLengths.address }),
    storage_service_id: integer(),
    storage_container: text({ max: 255 }),
    requires_fullscreen: flag(false),
    allow_fullscreen_toggle: flag(true),
    toggle_location: text({ max: 64, default: 'top' }),
    role_id: integer(),
    ...stamps(),
    launch_url: text({ computed: true, readOnly: true }),
  },
  relations: {
    role_by_role_id: { kind: 'belongs_to', resource: 'role', field: 'role_id' },
    lookup_by_app_id: { kind: 'has_many', resource: 'owned_lookup', field: 'app_id' },
    service_by_storage_service_id: { kind: 'belongs_to', resource: 'service', field: 'storage_service_id' },
    user_to_app_to_role_by_app_id: { kind: 'has_many', resource: 'user_to_app_to_role', field: 'app_id' },
    ...stampRelations(),
  },
});

export type AppRecord = RecordOf<typeof app>;
