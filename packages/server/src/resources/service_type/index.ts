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
import { commaList, listQuery } from '../../call/list-query.ts';
import { project } from '../../service/root.ts';
import type { ServiceType } from '../../service/service.ts';
import type { Db, Store } from '../../store/index.ts';

export interface ServiceTypeParts {
  store: Pick<Store, 'db'>;
  types: () => ServiceType[];
}

/** The types of a server, sorted by name; `group` narrows them, `as_list` answers names alone. */
export async function listServiceTypes({ store, types }: ServiceTypeParts, call: Call): Promise<Reply> {
  const groups = commaList(call.query.get('group'))?.map((group) => group.toLowerCase());
  const listed = types()
    .filter((type) => !groups || groups.includes(type.group.toLowerCase()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (truthy(call.query.get('as_list'))) return answer({ resource: listed.map((type) => type.name) });
  const choices = choicesOf(store.db);
  const resource = [];
  for (const type of listed) resource.push(pickFields(call, await describe(type, choices)));
  return answer({ resource });
}

/** One type by its name. */
export async function readServiceType({ store, types }: ServiceTypeParts, call: Call, name: string): Promise<Reply> {
  const type = types().find((candidate) => candidate.name === name);
  if (!type) throw fail('service.typeNotFound', { type: name });
  return answer(pickFields(call, await describe(type, choicesOf(store.db))));
}

/** The keys of a type that `fields` asks for; all without it. */
function pickFields(call: Call, record: ServiceTypeRecord): Record<string, unknown> {
  return project({ ...record }, listQuery(call).fields ?? '*');
}

async function describe(type: ServiceType, choices: (of: Choices) => Promise<PickValue[]>): Promise<ServiceTypeRecord> {
  return {
    name: type.name,
    label: type.label,
    description: type.description,
    group: type.group,
    singleton: type.singleton ?? false,
    dependencies_required: null,
    subscription_required: type.tier ?? null,
    service_definition_editable: false,
    config_schema: type.config ? configSchema(await withChoices(type.config, choices)) : null,
  };
}

/** Fills the picklists whose options are rows of the instance. */
async function withChoices(
  fields: ConfigFields,
  choices: (of: Choices) => Promise<PickValue[]>,
): Promise<ConfigFields> {
  const fill = async <T extends { choices?: Choices }>(part: T): Promise<T> =>
    part.choices ? { ...part, values: await choices(part.choices) } : part;
  const filled: ConfigFields = {};
  for (const [name, field] of Object.entries(fields)) {
    const items = Array.isArray(field.items) ? await Promise.all((field.items as ItemField[]).map(fill)) : field.items;
    filled[name] = await fill({ ...field, ...(items === undefined ? {} : { items }) });
  }
  return filled;
}

/** The options by kind, each read once for an answer. Every list begins with a blank. */
function choicesOf(db: Db): (of: Choices) => Promise<PickValue[]> {
  const read = new Map<Choices, Promise<PickValue[]>>();
  return (of) => {
    const known = read.get(of) ?? optionRows(db, of).then(withBlank);
    read.set(of, known);
    return known;
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
async function optionRows(db: Db, of: Choices): Promise<OptionRow[]> {
  if (of === 'email_template') return db.selectFrom(of).select(['id', 'name']).orderBy('id').execute();
  if (of !== 'app' && of !== 'role') return [];
  return db.selectFrom(of).select(['id', 'name']).where('is_active', '=', 1).orderBy('id').execute();
}
