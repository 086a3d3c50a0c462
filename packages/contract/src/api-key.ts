// What `POST system/app/_key` takes and answers (contract/system-resources.md §4).

/** What a new key is to open: one table of a service, a service, or every service that holds data. */
export interface ApiKeyRequest {
  name: string;
  access: 'read' | 'write';
  /** The name of a service; absent: every service that holds data. */
  service?: string;
  /** A table of that service, as its address names it. */
  table?: string;
}

/** A key, and the role and app that were made for it. */
export interface ApiKeyAnswer {
  app_id: number;
  role_id: number;
  name: string;
  api_key: string;
}
