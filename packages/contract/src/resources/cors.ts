import {
  flag,
  id,
  integer,
  json,
  type RecordOf,
  resource,
  stampRelations,
  stamps,
  text,
  textLengths,
} from '../resource.ts';

/** Which other origins may call an address from a browser (contract/http-basics.md §11). */
export const cors = resource({
  name: 'cors',
  label: 'CORS',
  description: 'Which other origins may call this instance from a browser.',
  nameField: 'path',
  fields: {
    id: id(),
    // Their missing is said with words of their own, so they are not declared as required.
    path: text({ max: 255, unique: true }),
    description: text(),
    origin: text({ max: textLengths.address }),
    header: text({ max: textLengths.address }),
    exposed_header: text({ max: textLengths.address }),
    /** Stored as a mask, answered as a list. */
    method: json(),
    max_age: integer({ default: 0 }),
    supports_credentials: flag(false),
    enabled: flag(true),
    ...stamps(),
  },
  relations: { ...stampRelations() },
});

export type CorsRecord = RecordOf<typeof cors>;
