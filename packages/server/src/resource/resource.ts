// How the server serves a declared resource: its table and what is particular to it. The record engine does the rest.

import type { ResourceDefinition } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { RecordInput } from '../call/payload.ts';
import type { ChangeNotices } from '../events/changes.ts';
import type { Db, Store, Tables } from '../store/index.ts';

/** A row as the store has it: 0 and 1 for flags, JSON as text, hidden columns too. */
export type StoredRow = Record<string, unknown>;
/** What identifies a record: the counted id, or the name of a custom setting. */
export type RecordId = number | string;
/** A record as the wire shows it. */
export type WireRecord = Record<string, unknown>;

/** On whose behalf records are read and written, by which service and from where; a call is one. */
export interface Actor extends Pick<Call, 'caller' | 'service' | 'baseUrl' | 'memory'> {
  /** The request id, address and client program: absent where the platform acts by itself. */
  id: string | null;
  ip: string | null;
  userAgent: string | null;
  /** Aborted when the caller goes away, and what is read for them ends; absent where a write is to be carried through. */
  signal?: AbortSignal;
}

/** What a write asks of single resources besides its fields. */
export interface WriteOptions {
  /** Apps get a new key. */
  regenerateKey?: boolean;
  /** All records are written or none. */
  isAllOrNothing?: boolean;
  /** New people get an invitation by mail. */
  sendInvite?: boolean;
  /** Apps take their files along when they are deleted. */
  deleteStorage?: boolean;
}

/** What a resource may use while the engine works for an actor. */
export interface RecordContext {
  actor: Actor;
  options: WriteOptions;
  store: Store;
  /** The store, or the transaction of the record that is being written. */
  db: Db;
  /** The engine's own resources by name, for relations. */
  resourceOf: (name: string) => ServedResource;
  /** Checks that wait until a record and all that is nested in it is written; each name once. */
  deferredChecks: Map<string, () => Promise<void>>;
  /** Bytes of the rows that went into the answer so far (records/pieces.ts); of a stream, of those that go out next. */
  answered: { bytes: number; isStreamed?: true };
  /** Told of what is written, once it is committed. */
  notices: ChangeNotices;
}

/** One record on its way into the store. */
export interface RecordChange {
  kind: 'create' | 'update';
  input: RecordInput;
  /** The writable fields of the input, read and converted; `beforeSave` may add to them and correct them. */
  values: Record<string, unknown>;
  /** Hidden columns that are written too. */
  columns: StoredRow;
  /** The row before; undefined on create. */
  row: StoredRow | undefined;
  /** What `prepare` answered. */
  prepared: Record<string, unknown>;
  context: RecordContext;
  /** Adds a validation message; the record is refused when there is any. */
  reportInvalid(field: string, message: string): void;
  /** The value a field will have: from the input, else from the row. */
  value(field: string): unknown;
}

/** A record as it is answered, with the row it is made of. */
export interface SerializedRecord {
  record: WireRecord;
  row: StoredRow;
}

export interface ServedResource {
  definition: ResourceDefinition;
  table: keyof Tables;
  /** Whether it is an address below `system/`; relations to it are decided as calls on it. */
  isAddressed: boolean;
  /**
   * Rows without an address that give permissions: reached through any other owner than these, they are decided as a
   * call on the first. The right to change a service must not give its holder a role.
   */
  ownedBy?: [string, ...string[]];
  /** What every row of this resource has in columns that are never shown: people are split by one. */
  scope?: Record<string, number | null>;
  /** The field whose value alone answers a GET of one record that names no fields. */
  bareValue?: string;
  /**
   * Shown fields that give access by themselves: the audit keeps the mask of them, and only administrators filter and
   * order by them.
   */
  credentials?: string[];
  /** Masks in a record as it is shown what the audit must not have, beside `credentials`. */
  maskForAudit?(state: SerializedRecord): void;
  /** Fields of other resources, not declared as relations, that are emptied (`goesWithOwner`: whose records are deleted) with a record. */
  unlinks?: { resource: string; field: string }[];
  /** The refusal for a change of a row of the same table that is outside the scope. */
  scopeRefusal?(verb: 'update' | 'delete'): Error;
  /** Although it has an address of its own, a record is deleted with the one it points to by one of its `unlinks`. */
  goesWithOwner?: true;
  /** Besides the id, the field that tells rows of one owner apart in nested writes. */
  naturalKey?: string;
  /** Refuses the records of a call before anything of them is written: options that ask for what cannot be had. */
  beforeBatch?(context: RecordContext, inputs: RecordInput[], ids: unknown[]): Promise<void> | void;
  /** Comes first in the transaction of each write of a record: takes locks, and refuses by throwing. */
  beforeWrite?(context: RecordContext): Promise<void>;
  /** Slow work before the transaction begins (hashing); must not touch the store. */
  prepare?(input: RecordInput): Promise<Record<string, unknown>>;
  /** Fills in what follows from other fields and checks what rules of single fields cannot. */
  beforeSave?(change: RecordChange): Promise<void> | void;
  /** Refuses a delete by throwing. */
  beforeDelete?(row: StoredRow, context: RecordContext): Promise<void> | void;
  /** What is done once a delete is committed. A failure is the answer, although the record is gone: it has to say so. */
  afterDelete?(row: StoredRow, context: RecordContext): Promise<void>;
  /** What is done once a change of a record is committed. A failure is the answer, although it is changed. */
  afterUpdate?(before: StoredRow, after: StoredRow, context: RecordContext): Promise<void>;
  /** Reads relations that are no rows of the store: a function from a row to what belongs to it, for all rows of an answer. */
  computeRelation?(rows: StoredRow[], context: RecordContext): Promise<(row: StoredRow) => unknown>;
  /** Fields that a write with these options answers besides the selected ones. */
  answeredFields?(options: WriteOptions): string[];
  /** Adds computed fields, masks secrets. Gets all records of an answer at once. */
  serialize?(records: SerializedRecord[], context: RecordContext): Promise<void> | void;
  /** What the audit keeps of a record that is written besides its fields; `before` is absent on create. */
  auditDetails?(
    row: StoredRow,
    before: StoredRow | undefined,
    context: RecordContext,
  ): Promise<Record<string, unknown>>;
  /** The fields that are selected where some are: those and what they cannot be read without. */
  dependentFields?(fields: string[]): string[];
}
