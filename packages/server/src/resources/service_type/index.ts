// `system/service_type`: what kinds of service there are and how each is configured (contract/system-resources.md §6).
// Read only; exactly nine keys.
import {
  type Choices,
  type ConfigFields,
  configSchema,
  fail,
  type ItemField,
  type PickValue,
  type ServiceTypeRecord,
  truthy,
} from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { parseCommaList, readListQuery } from '../../call/list-query.ts';
import { selectKeys } from '../../service/root.ts';
import type { ServiceType } from '../../service/service.ts';
import type { Db, Store } from '../../store/index.ts';

export interface ServiceTypeParts {
  store: Pick<Store, 'db'>;
  types: () => ServiceType[];
}

/** The types of a server, sorted by name; `group` narrows them, `as_list` answers names alone. */
export async function listServiceTypes({ store, types }: ServiceTypeParts, call: Call): Promise<Reply> {
  const groups = parseCommaList(call.query.get('group'))?.map((group) => group.toLowerCase());
  const filtered = types()
    .filter((type) => !groups || groups.includes(type.group.toLowerCase()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (truthy(call.query.get('as_list'))) return answer({ resource: filtered.map((type) => type.name) });
  const readChoices = createChoiceReader(store.db);
  const resource = [];
  for (const type of filtered) resource.push(pickFields(call, await describeType(type, readChoices)));
  return answer({ resource });
}

/** One type by its name. */
export async function readServiceType({ store, types }: ServiceTypeParts, call: Call, name: string): Promise<Reply> {
  const type = types().find((candidate) => candidate.name === name);
  if (!type) throw fail('service.typeNotFound', { type: name });
  return answer(pickFields(call, await describeType(type, createChoiceReader(store.db))));
}

/** The keys of a type that `fields` asks for; all without it. */
function pickFields(call: Call, record: ServiceTypeRecord): Record<string, unknown> {
  return selectKeys({ ...record }, readListQuery(call).fields ?? '*');
}

async function describeType(
  type: ServiceType,
  readChoices: (kind: Choices) => Promise<PickValue[]>,
): Promise<ServiceTypeRecord> {
  return {
    name: type.name,
    label: type.label,
    description: type.description,
    group: type.group,
    singleton: type.singleton ?? false,
    dependencies_required: null,
    subscription_required: type.tier ?? null,
    service_definition_editable: false,
    config_schema: type.config ? configSchema(await withChoices(type.config, readChoices)) : null,
  };
}

/** Fills the picklists whose options are rows of the instance. */
async function withChoices(
  fields: ConfigFields,
  readChoices: (kind: Choices) => Promise<PickValue[]>,
): Promise<ConfigFields> {
  const fill = async <T extends { choices?: Choices }>(part: T): Promise<T> =>
    part.choices ? { ...part, values: await readChoices(part.choices) } : part;
  const filled: ConfigFields = {};
  for (const [name, field] of Object.entries(fields)) {
    const items = Array.isArray(field.items) ? await Promise.all((field.items as ItemField[]).map(fill)) : field.items;
    filled[name] = await fill({ ...field, ...(items === undefined ? {} : { items }) });
  }
  return filled;
}

/** The options by kind, each read once for an answer. Every list begins with a blank. */
function createChoiceReader(db: Db): (kind: Choices) => Promise<PickValue[]> {
  const optionsByKind = new Map<Choices, Promise<PickValue[]>>();
  return (kind) => {
    const options = optionsByKind.get(kind) ?? readOptionRows(db, kind).then(withBlank);
    optionsByKind.set(kind, options);
    return options;
  };
}

interface OptionRow {
  id: number;
  name: string;
}

const withBlank = (rows: OptionRow[]): PickValue[] => [
  { label: '', name: null },
  ...rows.map(({ id, name }) => ({ label: name, name: id })),
];

/** Mail services come with their types; until then there are none to choose. */
async function readOptionRows(db: Db, kind: Choices): Promise<OptionRow[]> {
  if (kind === 'email_template') return db.selectFrom(kind).select(['id', 'name']).orderBy('id').execute();
  if (kind !== 'app' && kind !== 'role') return [];
  return db.selectFrom(kind).select(['id', 'name']).where('is_active', '=', 1).orderBy('id').execute();
}
