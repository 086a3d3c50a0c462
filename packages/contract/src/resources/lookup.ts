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

/** Public keys of one owner (the instance, an app, a role, a person): every call holds those of its caller in memory. */
export const publicLookupBounds = {
  keys: 1000,
  /** Of their names and values in UTF-8. */
  bytes: 4 * 1024 * 1024,
} as const;

/** Characters that lookups may put in by one call: a text of many braces, and a long value, would fill the memory. */
export const maxFilledCharacters = 16 * 1024 * 1024;
/** Names in braces that they may put them in for: each takes time, however short its value is. */
export const maxFilledNames = 1_000_000;

/** A named value for the whole instance, put in wherever `{name}` stands (contract/system-resources.md §11). */
export const lookup = resource({
  name: 'lookup',
  label: 'Lookup Keys',
  description: 'Named values, put in wherever {name} stands.',
  fields: {
    id: id(),
    name: name({ max: 255 }),
    value: text({ maxBytes: textLengths.body }),
    private: flag(false),
    description: text({ maxBytes: textLengths.note }),
    ...stamps(),
  },
  relations: { ...stampRelations() },
});

/** A lookup key of a person, a role or an app; it overrides the instance's (contract/sessions-and-accounts.md §10). */
export const ownedLookup = resource({
  name: 'owned_lookup',
  label: 'Lookup Keys',
  description: 'Named values of a person, a role or an app.',
  fields: {
    id: id(),
    app_id: integer(),
    role_id: integer(),
    user_id: integer(),
    name: name({ max: 255 }),
    value: text({ maxBytes: textLengths.body }),
    private: flag(false),
    description: text({ maxBytes: textLengths.note }),
    ...stamps(),
  },
});

export type LookupRecord = RecordOf<typeof lookup>;
