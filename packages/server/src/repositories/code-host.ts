// What a code host is to the services that show its repositories. A type is a folder in services/ that makes one.

/** A host whose repositories of one account are read. Failures are those of host-api.ts. */
export interface CodeHost {
  /** The repositories of the account, a page of them. */
  list(page: Page, signal: AbortSignal): Promise<NamedRecord[]>;
  /** What lies at a place: a folder is its entries, a file its description, or its bytes where those are wanted. */
  find(place: Place, wanted: 'description' | 'bytes', signal: AbortSignal): Promise<Found>;
}

/** Counted from 1. */
export interface Page {
  page: number;
  perPage: number;
}

/** A place in a repository; every part is checked (names.ts). The empty path is the root. */
export interface Place {
  repository: string;
  path: string;
  /** The name of a branch or a tag, or the id of a commit. */
  reference: string;
}

/** What lists show: as the host says it, and the name that addresses take. */
export interface NamedRecord {
  record: Record<string, unknown>;
  name: string;
}

/** The description of a file has its `content` in base64. */
export type Found = { entries: NamedRecord[] } | { description: Record<string, unknown> } | { bytes: Uint8Array };

/** Entries of a folder that are read: as many as GitHub shows. */
export const maxEntries = 1_000;
