import { json, name, type RecordOf, resource, stampRelations, stamps, textLengths } from '../resource.ts';

/** A value clients keep with the instance, by name; any JSON (contract/system-resources.md §13). */
export const custom = resource({
  name: 'custom',
  label: 'Custom Settings',
  description: 'Values that clients keep with this instance, by name.',
  identifier: 'name',
  fields: {
    name: name({ max: 255 }),
    value: json({ maxBytes: textLengths.body }),
    ...stamps(),
  },
  relations: { ...stampRelations() },
});

export type CustomRecord = RecordOf<typeof custom>;
