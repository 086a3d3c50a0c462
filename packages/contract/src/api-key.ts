// What `POST system/app/_key` takes and answers (contract/system-resources.md §4).
import type { LimitPeriod } from './limits.ts';

/** What a new key is to open: tables of a service, a service, or every service that holds data. */
export interface ApiKeyRequest {
  name: string;
  access: 'read' | 'write';
  /** The name of a service; absent: every service that holds data. */
  service?: string;
  /** A table of that service, as its address names it. */
  table?: string;
  /** Several of them, in place of `table`. */
  tables?: string[];
  /** A limit on the calls of the new role; absent: none. */
  limit?: ApiKeyLimit;
}

/** So many calls in each period, of all callers with the key together. */
export interface ApiKeyLimit {
  rate: number;
  period: LimitPeriod;
}

/** So many tables can be named at once. */
export const maxKeyTables = 100;

/** A key, and the role and app that were made for it. */
export interface ApiKeyAnswer {
  app_id: number;
  role_id: number;
  name: string;
  api_key: string;
  /** Of the limit, where one was asked for. */
  limit_id?: number;
}
