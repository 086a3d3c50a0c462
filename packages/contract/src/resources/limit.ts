import { date, flag, id, integer, name, type RecordOf, resource, text } from '../resource.ts';

/** How many calls of a kind of caller a period may have (contract/limits.md). In the order of the wire. */
export const limit = resource({
  name: 'limit',
  label: 'Limits',
  description: 'How many calls may be made in a period.',
  fields: {
    id: id(),
    type: name({ max: 50 }),
    /** What tells limits apart (`limitKey`): computed, and two limits never have the same. */
    key_text: text({ readOnly: true, max: 255 }),
    rate: integer({ required: true }),
    /** In as `minute` … `30-day`, or the number of one. */
    period: name({ max: 16 }),
    user_id: integer(),
    role_id: integer(),
    service_id: integer(),
    name: name({ max: 255 }),
    description: text({ max: 255 }),
    is_active: flag(true),
    created_date: date({ readOnly: true }),
    last_modified_date: date({ readOnly: true }),
    endpoint: text({ max: 160 }),
    verb: text({ max: 16 }),
  },
  relations: {
    service_by_service_id: { kind: 'belongs_to', resource: 'service', field: 'service_id' },
    role_by_role_id: { kind: 'belongs_to', resource: 'role', field: 'role_id' },
    user_by_user_id: { kind: 'belongs_to', resource: 'user', field: 'user_id' },
    limit_cache_by_limit_id: { kind: 'has_many', resource: 'limit_cache', field: 'id', isComputed: true },
  },
});

export type LimitRecord = RecordOf<typeof limit>;
