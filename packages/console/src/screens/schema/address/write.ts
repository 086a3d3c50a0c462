import { api } from '../../../api/index.ts';

/** A write of `_schema` as it is sent, and as `_plan` is asked what it would do. */
export interface SchemaWrite {
  verb: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the service, encoded: `_schema/{table}/_field`. */
  path: string;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
}

const send = { POST: api.post, PATCH: api.patch, PUT: api.put, DELETE: api.delete };

/** Sends a write; throws `ApiError`. */
export const sendWrite = <T = unknown>(service: string, { verb, path, query, body }: SchemaWrite): Promise<T> =>
  send[verb]<T>(`${encodeURIComponent(service)}/${path}`, {
    ...(query ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  });
