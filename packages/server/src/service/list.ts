// `GET /api/v2`: the services a caller may use, and the types there are (contract/http-basics.md §9).
import { truthy, verbsOf } from '@sluice/contract';
import { grantsOfService, maskOfService } from '../access/gate.ts';
import { answer, type Call, type Reply } from '../call/call.ts';
import { parseCommaList } from '../call/list-query.ts';
import type { Services } from './registry.ts';

/**
 * Answers the list; `fields`, `group` and `type` narrow it. `include_access` adds what the caller's role names in each service
 * (ours): where a root is refused, this tells which parts are not.
 */
export async function listServices(call: Call, services: Services): Promise<Reply> {
  const groups = parseCommaList(call.query.get('group'))?.map((group) => group.toLowerCase());
  const type = call.query.get('type');
  const isSelected = (item: { name: string; group: string }) =>
    (!groups || groups.includes(item.group.toLowerCase())) && (!type || item.name === type);
  const types = services.types.filter(isSelected);
  const names = new Set(types.map((selected) => selected.name));
  const fields = parseCommaList(call.query.get('fields'));
  const pick = (record: Record<string, unknown>) =>
    !fields || fields.includes('*')
      ? record
      : Object.fromEntries(
          fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]),
        );
  const rows = await services.rows();
  const accessOf = (service: string) =>
    truthy(call.query.get('include_access'))
      ? {
          access: grantsOfService(call.caller, service).map(({ component, mask }) => ({
            component,
            verbs: verbsOf(mask),
          })),
        }
      : {};
  return answer({
    services: rows
      .filter((row) => row.isActive && names.has(row.type) && maskOfService(call.caller, row.key) !== 0)
      .map(({ id, key, name, label, description, type }) => ({
        ...pick({ id, name, label, description, type }),
        ...accessOf(key),
      })),
    service_types: types
      .map(({ name, label, group, description }) => ({ name, label, group, description }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  });
}
