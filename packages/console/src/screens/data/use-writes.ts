// Everything that writes to a table: saving, creating, deleting, and what the server objects to.
import { useRef, useState } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { confirm, notify, type Store } from '../../ui/index.ts';
import * as edits from './edits.ts';
import { keyFields, keyOf, keyText } from './place.ts';
import type { Row, Schema } from './sources.ts';
import { type Drafts, fieldOfMessage, type Payload, toPatch, toPost } from './values.ts';

interface Writable {
  path: string;
  table: string;
  schema: Schema | undefined;
  store: Store<edits.Edits>;
  /** Changes the store by a step that can be undone. */
  act: (next: edits.Edits) => void;
  /** After it, nothing can be undone. */
  forgetSteps: () => void;
  /** What a new record starts with. */
  given: Drafts;
  /** The records that are ticked. */
  chosen: readonly Row[];
  reread: () => Promise<void>;
  /** Reads again when so many records are gone. */
  afterDelete: (gone: number) => Promise<void>;
  /** Shows a record that was not sent, where what is wrong with it is not in sight. */
  open: (key: readonly string[]) => void;
  close: () => void;
}

export function useWrites(table: Writable) {
  const { path, schema, store, act, forgetSteps, given, chosen, reread, afterDelete, open, close } = table;
  const [isBusy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const isWriting = useRef(false);
  /** One write at a time: a second press of the same keys does nothing. */
  const during = async (work: () => Promise<void>): Promise<void> => {
    if (isWriting.current) return;
    isWriting.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      isWriting.current = false;
      setBusy(false);
    }
  };
  const fail = (error: unknown) => notify.error(text('data:title'), error);

  /** Objections beside their fields; what belongs to none stands above them. */
  const objections = (error: unknown): Record<string, string> => {
    if (!(error instanceof ApiError)) return { '': text('common:unknownError') };
    const byField = Object.entries(error.fieldMessages()).map(([name, all]) => [name, all.join(' ')]);
    if (byField.length > 0) return Object.fromEntries(byField);
    return Object.fromEntries(
      error.messages().map((message) => [fieldOfMessage(message, schema?.field ?? []) ?? '', message]),
    );
  };
  const objectWrong = (wrong: Extract<Payload, { wrong: unknown }>['wrong']) =>
    Object.fromEntries([
      ['', text('data:wrongFields', { count: Object.keys(wrong).length })],
      ...Object.entries(wrong).map(([name, reason]) => [name, text(`data:wrong.${reason}`)]),
    ]);

  /** What was sent is stored; what was typed since stays. */
  const forget = (sent: readonly edits.Edit[]) => {
    if (sent.length > 0) forgetSteps();
    for (const edit of sent) {
      if (store.get().records.get(keyText(edit.key)) === edit) store.set(edits.drop(store.get(), edit.key));
    }
  };

  /** Sends changed records together. Those before a failing one are stored, and no longer unsaved. True when all are. */
  const patch = async (all: readonly edits.Edit[]): Promise<boolean> => {
    if (!schema) return false;
    const records: Row[] = [];
    const wrong: edits.Edit[] = [];
    for (const edit of all) {
      const made = toPatch(schema, edit.stored, edit.drafts);
      if ('record' in made) {
        records.push(made.record);
        continue;
      }
      wrong.push(edit);
      store.set(edits.object(store.get(), edit.key, objectWrong(made.wrong)));
    }
    if (wrong[0]) {
      open(wrong[0].key);
      return false;
    }
    try {
      await api.patch(path, { body: { resource: records } });
      await reread();
      forget(all);
      return true;
    } catch (error) {
      fail(error);
      const failed = firstFailure(error);
      const refused = all[failed];
      if (failed > 0) await reread();
      forget(all.slice(0, failed));
      if (refused) store.set(edits.object(store.get(), refused.key, objections(error)));
      return false;
    }
  };

  /** Sends new records together, as `patch` sends changed ones. */
  const post = async (all: readonly (readonly [id: string, one: edits.Added])[]): Promise<boolean> => {
    if (!schema) return false;
    const records: Row[] = [];
    for (const [id, { drafts }] of all) {
      const made = toPost(schema, { ...given, ...drafts });
      if ('record' in made) records.push(made.record);
      else store.set(edits.objectAdded(store.get(), id, objectWrong(made.wrong)));
    }
    if (records.length < all.length) return false;
    const ids = all.map(([id]) => id);
    let stored = ids.length;
    try {
      await api.post(path, { query: { fields: '*' }, body: { resource: records } });
    } catch (error) {
      fail(error);
      stored = firstFailure(error);
      const refused = ids[stored];
      if (refused !== undefined) store.set(edits.objectAdded(store.get(), refused, objections(error)));
    }
    if (stored > 0) {
      forgetSteps();
      await reread();
      store.set(edits.dropAdded(store.get(), ids.slice(0, stored)));
    }
    return stored === ids.length;
  };

  return {
    isBusy,
    /** How often records were not saved: each time, the grid shows why. */
    refusals,
    /** Save of the toolbar (TBL-025, TBL-031, TBL-040). */
    saveAll: () =>
      during(async () => {
        const changed = edits.unsaved(store.get());
        const added = [...store.get().added];
        if (changed.length + added.length === 0) return fail(text('data:nothingToSave'));
        const isSaved = (changed.length === 0 || (await patch(changed))) && (added.length === 0 || (await post(added)));
        if (!isSaved) return setRefusals((before) => before + 1);
        notify.success(text('data:recordsSaved'));
      }),
    /** Revert of the toolbar (TBL-032). */
    revertAll: () => {
      act(edits.dropAll(store.get()));
      notify.success(text('data:recordsReverted'));
    },
    /** Save of the record's pane, which then closes (TBL-034, OPEN-125). */
    saveOne: (key: readonly string[]) =>
      during(async () => {
        const edit = edits.unsaved(store.get()).find((each) => keyText(each.key) === keyText(key));
        if (!edit) return close();
        if (!(await patch([edit]))) return;
        notify.success(text('data:recordSaved'));
        close();
      }),
    /** Revert of the record's pane (TBL-037). */
    revertOne: (key: readonly string[]) => {
      act(edits.drop(store.get(), key));
      notify.success(text('data:recordReverted'));
    },
    /** TBL-027, TBL-035. */
    create: () =>
      during(async () => {
        if (!schema) return;
        const drafts: Drafts = { ...given, ...store.get().fresh?.drafts };
        const made = toPost(schema, drafts);
        if ('wrong' in made) {
          store.set(edits.objectFresh(store.get(), objectWrong(made.wrong)));
          return;
        }
        try {
          await api.post(path, { query: { fields: '*' }, body: { resource: [made.record] } });
        } catch (error) {
          store.set(edits.objectFresh(store.get(), objections(error)));
          return fail(error);
        }
        store.set({ ...store.get(), fresh: null });
        notify.success(text('data:recordCreated'));
        await reread();
        close();
      }),
    /** Delete of the toolbar (TBL-026, TBL-033, TBL-039, TBL-041). */
    deleteSelected: async () => {
      if (!schema || chosen.length === 0) return fail(text('data:nothingToDelete'));
      const impact = text('data:deleteImpact', { count: chosen.length, table: table.table });
      if (!(await confirm({ message: text('data:confirmDelete'), impact, danger: true }))) return;
      await during(async () => {
        let gone = chosen.length;
        try {
          await api.delete(path, { body: { resource: chosen.map((row) => keyFields(schema, row)) } });
          notify.success(text('data:recordsDeleted'));
        } catch (error) {
          fail(error);
          // Records before the failing one are gone.
          gone = firstFailure(error);
        }
        if (gone > 0) forgetSteps();
        for (const row of chosen.slice(0, gone)) store.set(edits.drop(store.get(), keyOf(schema, row) ?? []));
        if (gone > 0) await afterDelete(gone);
      });
    },
    /** Delete of the record's pane (TBL-028, TBL-036). */
    deleteOne: async (stored: Row) => {
      const key = schema && keyOf(schema, stored);
      if (!key) return;
      const message = text('data:deleteOne', { record: key.join(' / ') });
      if (!(await confirm({ message, impact: text('data:deleteOneImpact'), danger: true }))) return;
      await during(async () => {
        try {
          const headers = { 'X-HTTP-METHOD': 'DELETE' };
          await api.post(path, { headers, body: { resource: [keyFields(schema, stored)] } });
        } catch (error) {
          return fail(error);
        }
        notify.success(text('data:recordDeleted'));
        forgetSteps();
        store.set(edits.drop(store.get(), key));
        close();
        await afterDelete(1);
      });
    },
  };
}

/** Which record of a batch failed first (contract/database-tables.md §7). */
function firstFailure(error: unknown): number {
  const context = error instanceof ApiError ? (error.context as { error?: unknown } | null)?.error : undefined;
  return Array.isArray(context) && typeof context[0] === 'number' ? context[0] : 0;
}
