// A service as the editor holds it and as it is sent. Pure.
import type { FieldDescriptor, ServiceDocRecord, ServiceRecord, ServiceTypeRecord } from '@sluice/contract';
import { type Config, configOf, initialConfig, kindOf } from '../../fields/config/schema.ts';
import { scriptConfig } from '../../fields/inputs/script-files.ts';

/** Service names are the first part of an API path (contract/system-resources.md §5). */
export const namePattern = /^[A-Za-z0-9_-]+$/;

export const definitionFormat = { json: 0, yaml: 1 } as const;

export interface ServiceForm extends Record<string, unknown> {
  id?: number;
  name: string;
  label: string;
  description: string;
  is_active: boolean;
  type: string;
  config: Config;
  definition: { content: string; format: number };
  deletable?: boolean;
}

/** What the editor of a new service starts with (SVC-007). */
export const emptyService: ServiceForm = {
  name: '',
  label: '',
  description: '',
  is_active: true,
  type: '',
  config: {},
  definition: { content: '', format: definitionFormat.json },
};

/** A loaded service as the editor holds it. */
export function toForm(record: Record<string, unknown>, types: readonly ServiceTypeRecord[]): ServiceForm {
  const service = record as unknown as ServiceRecord & {
    service_doc_by_service_id?: ServiceDocRecord | ServiceDocRecord[] | null;
  };
  const docs = service.service_doc_by_service_id;
  const doc = Array.isArray(docs) ? docs[0] : docs;
  const schema = types.find((type) => type.name === service.type)?.config_schema ?? [];
  return {
    id: service.id,
    deletable: service.deletable,
    name: service.name,
    label: service.label ?? '',
    description: service.description ?? '',
    is_active: service.is_active,
    type: service.type,
    config: initialConfig(schema, configOf(service.config)),
    definition: { content: doc?.content ?? '', format: doc?.format ?? definitionFormat.json },
  };
}

/** A service whose type was just chosen: its config and definition start over (OPEN-156). */
export const withType = (form: ServiceForm, type: ServiceTypeRecord): ServiceForm => ({
  ...form,
  type: type.name,
  config: initialConfig(type.config_schema ?? [], null),
  definition: emptyService.definition,
});

/** The body of a save. An empty definition is no definition (OPEN-155). */
export function toRecord(form: ServiceForm, linkedType: string | undefined): Record<string, unknown> {
  const { definition, config, deletable: _readOnly, ...service } = form;
  const hasNoContent = definition.content.trim() === '';
  return {
    ...service,
    config: scriptConfig(config, linkedType),
    service_doc_by_service_id: hasNoContent ? null : { content: definition.content, format: definition.format },
  };
}

/** A form as it may be kept as a draft: whatever could be a secret goes back to what was there before. */
export function toDraft(form: ServiceForm, schema: readonly FieldDescriptor[]): Partial<ServiceForm> {
  const config = Object.entries(form.config).filter(([name]) => {
    const field = schema.find((descriptor) => descriptor.name === name);
    return !secretName.test(name) && (!field || kindOf(field) !== 'password');
  });
  return { ...form, config: Object.fromEntries(config) };
}

// Secrets are also typed into plain text fields, and into connection strings (contract/service-types.md §2).
const secretName = /pass|secret|token|key|private|credential|cert|dsn|options|headers|parameters|content/i;
