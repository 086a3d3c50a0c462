import type { FieldDescriptor } from '../config-fields.ts';
import {
  flag,
  id,
  integer,
  json,
  name,
  type RecordOf,
  resource,
  stampRelations,
  stamps,
  text,
  textLengths,
} from '../resource.ts';

/** A configured service (contract/system-resources.md §5). */
export const service = resource({
  name: 'service',
  label: 'Services',
  description: 'Databases, files, mail and remote services opened as APIs.',
  fields: {
    id: id(),
    name: name({ max: 40, unique: true }),
    label: text({ max: 80 }),
    description: text({ max: 255 }),
    is_active: flag(false),
    type: name({ max: 40 }),
    mutable: flag(true, { readOnly: true }),
    deletable: flag(true, { readOnly: true }),
    ...stamps(),
    config: json({ maxBytes: textLengths.body }),
  },
  relations: {
    service_doc_by_service_id: { kind: 'has_one', resource: 'service_doc', field: 'service_id' },
    role_service_access_by_service_id: { kind: 'has_many', resource: 'role_service_access', field: 'service_id' },
    app_by_storage_service_id: { kind: 'has_many', resource: 'app', field: 'storage_service_id' },
    ...stampRelations(),
  },
});

/** A service's own definition: format 0 is JSON, 1 is YAML; content is text (contract/system-resources.md §5). */
export const serviceDoc = resource({
  name: 'service_doc',
  label: 'Service Definition',
  description: "A service's own OpenAPI document.",
  identifier: 'service_id',
  fields: {
    service_id: integer(),
    format: integer({ default: 0 }),
    content: text({ maxBytes: textLengths.body }),
    created_date: stamps().created_date,
    last_modified_date: stamps().last_modified_date,
  },
});

export type ServiceRecord = RecordOf<typeof service>;
export type ServiceDocRecord = RecordOf<typeof serviceDoc>;

/** A row of `system/service_type`: exactly these keys (contract/system-resources.md §6). */
export interface ServiceTypeRecord {
  name: string;
  label: string;
  description: string;
  group: string;
  singleton: boolean;
  dependencies_required: string | null;
  subscription_required: string | null;
  service_definition_editable: boolean;
  config_schema: FieldDescriptor[] | null;
}
