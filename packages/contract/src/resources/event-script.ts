import {
  flag,
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

/** A script that runs around calls, by the name of its event (contract/event-scripts-and-script-services.md §3). */
export const eventScript = resource({
  name: 'event_script',
  label: 'Event Scripts',
  description: 'Scripts that run around calls, by the name of the event.',
  identifier: 'name',
  fields: {
    name: name({ max: 80 }),
    /** One of `scriptTypeNames`. */
    type: name({ max: 40 }),
    content: text({ maxBytes: textLengths.body }),
    config: json(),
    is_active: flag(false),
    allow_event_modification: flag(false),
    storage_service_id: integer(),
    storage_path: text({ max: 255 }),
    scm_repository: text({ max: 255 }),
    scm_reference: text({ max: 255 }),
    ...stamps(),
  },
  relations: { ...stampRelations() },
});

export type EventScriptRecord = RecordOf<typeof eventScript>;
