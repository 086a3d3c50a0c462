// The state of a relation's form: what was chosen, what follows from it, what is wrong with it, and its saving.
import type { RelationDescription, TableDescription } from '@sluice/contract';
import { verbMask, verbs } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DatabaseService } from '../../../database/index.ts';
import { text } from '../../../text/index.ts';
import { describeError, notify } from '../../../ui/index.ts';
import { useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { paneAddress } from '../address/addresses.ts';
import { refreshService, type SchemaTable, useSchemaServices } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { usePlace } from '../address/use-place.ts';
import { type SchemaWrite, sendWrite } from '../address/write.ts';
import {
  changeRelationWrite,
  createRelationWrite,
  type FieldsPart,
  isBlankList,
  missingParts,
  newRelation,
  pairsOf,
  type RelationDraft,
  relationDraft,
  relationNameOf,
  relationToSend,
  withEqualLengths,
} from '../draft/relation.ts';
import { type Ends, likelyFields } from './likely.ts';
import { endQuery, rereadRelations } from './sources.ts';

export type RelationForm = ReturnType<typeof useRelation>;

/** What was changed, and which fields nobody chose: they were filled in, and follow other choices. */
interface Edit {
  changes: Partial<RelationDraft>;
  filled: Partial<Record<FieldsPart, string>>;
}

/** What a server refused, and the input it is about. */
interface Refusal {
  message: string;
  part: 'alias' | 'label' | 'description' | null;
}

const blank = newRelation();

interface RelationOptions {
  service: string;
  table: SchemaTable;
  /** Null: a new one. */
  original: RelationDescription | null;
  onClose: () => void;
}

export function useRelation({ service, table, original, onClose }: RelationOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { view } = usePlace();
  const { data: services = [] } = useSchemaServices();
  const [edit, setEdit] = useState<Edit>({ changes: {}, filled: {} });
  const [isChecked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isUnderWay = useRef(false);

  const base = original ? relationDraft(original) : blank;
  const draft = withEqualLengths({ ...base, ...edit.changes });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(withEqualLengths(base));
  const isVirtual = original === null || original.is_virtual;
  const missingVerbs = verbsMissing(table.access, original === null);
  const isReadOnly = missingVerbs.length > 0;

  const ownService = services.find(({ name }) => name === service);
  const serviceOf = (id: number | null) => serviceNameOf(id, ownService, services);
  const otherService =
    draft.ref_service_id === null || draft.ref_service_id === ownService?.id
      ? null
      : (serviceOf(draft.ref_service_id) ?? String(draft.ref_service_id));
  const name = isVirtual && ownService ? relationNameOf(draft, otherService) : (original?.name ?? null);
  const missing = isVirtual ? missingParts(draft) : new Set();
  const clash = isVirtual && name !== original?.name ? findClash(name, table) : null;

  const here = paneAddress(service, table.name, 'relation', original?.name).split('?')[0] ?? '';

  const change = (part: Partial<RelationDraft>) => {
    setRefusal(null);
    setEdit((edit) => ({ ...edit, changes: { ...edit.changes, ...part } }));
  };
  const readEnd = (endService: string | null, endTable: string | null): Promise<TableDescription | undefined> =>
    endService === null || endTable === null
      ? Promise.resolve(undefined)
      : // Its input shows what fails.
        client.fetchQuery({ ...endQuery(endService, endTable), staleTime: endAge }).catch(() => undefined);
  /** Chooses a type or tables, and fills in the fields that are probably meant. */
  const choose = async (part: Partial<RelationDraft>) => {
    change(part);
    const next = { ...draft, ...part };
    const [ref, junction] = await Promise.all([
      readEnd(serviceOf(next.ref_service_id), next.ref_table),
      readEnd(serviceOf(next.junction_service_id), next.type === 'many_many' ? next.junction_table : null),
    ]);
    setEdit((edit) => fillIn(edit, base, table, { ref, junction }));
  };
  const pairOf = (part: FieldsPart) => pairsOf(draft.type).find((pair) => pair.includes(part)) ?? [part];

  const body = ownService ? relationToSend(draft, original, ownService.id) : null;
  const write: SchemaWrite | null =
    body && (original ? changeRelationWrite(table.name, body) : createRelationWrite(table.name, body));
  const canSave = write !== null && missing.size === 0 && !clash && !isReadOnly;

  /** True once it is stored, and read again. */
  const store = async (): Promise<boolean> => {
    setChecked(true);
    if (!canSave || isUnderWay.current) return false;
    isUnderWay.current = true;
    setSaving(true);
    try {
      await sendWrite(service, write);
    } catch (error) {
      const [message = ''] = describeError(error).messages;
      isUnderWay.current = false;
      setSaving(false);
      setRefusal({ message, part: partOf(message, draft) });
      notify.error('', error);
      return false;
    }
    notify.success(text('schema:relation.saved'));
    kept.forget();
    await rereadRelations(client, service, table.name);
    return true;
  };
  const save = async () => {
    if (!(await store())) return;
    letPass();
    // Going back then leads to the relation by the name it has now.
    if (original && name !== null && name !== original.name)
      navigate(paneAddress(service, table.name, 'relation', name, view), { replace: true });
    onClose();
    await refreshService(client, service);
  };

  const kept = useDraft<Edit>({
    form: `schema.${service}/${table.name}/relation/${original?.name ?? ''}`,
    title: { key: 'schema:draft.relation', values: { table: table.name } },
    address: here,
    isDirty,
    typed: edit,
    toDraft: () => edit,
  });
  const letPass = useUnsavedGuard({
    isDirty,
    isLostBetween: (_from, { pathname }) => isDirty && pathname !== here,
    question: unsavedQuestion,
    save: isReadOnly
      ? undefined
      : async () => {
          const isStored = await store();
          if (isStored) void refreshService(client, service);
          return isStored;
        },
    discard: kept.forget,
  });

  return {
    service,
    table,
    services,
    ownService,
    serviceOf,
    original,
    draft,
    isDirty,
    isVirtual,
    /** The ends may be changed. */
    isOpen: isVirtual && !isReadOnly,
    isReadOnly,
    missingVerbs,
    /** The name it has, or will have. */
    name,
    clash,
    /** What is missing, or has the name already, once somebody wanted to save. */
    shownMissing: isChecked ? missing : new Set(),
    shownClash: isChecked ? clash : null,
    refusal,
    isSaving,
    /** What saving would send; null while it would not. */
    write: canSave && isDirty ? write : null,
    change,
    choose,
    addPair: (part: FieldsPart) =>
      change(Object.fromEntries(pairOf(part).map((each) => [each, [...draft[each], '']] as const))),
    removePair: (part: FieldsPart, index: number) =>
      change(Object.fromEntries(pairOf(part).map((each) => [each, draft[each].toSpliced(index, 1)] as const))),
    save: () => void save(),
    /** What was typed in an earlier session; null where there is nothing. */
    kept: kept.found && {
      restore: () => {
        if (kept.found) setEdit(kept.found.values);
        kept.dismiss();
      },
      discard: kept.forget,
    },
    letPass,
    close: () => {
      onClose();
      void rereadRelations(client, service, table.name);
    },
  };
}

/** Milliseconds for which a table that was read is good enough to guess by. */
const endAge = 60_000;

/** What a write of relations needs, as the server checks it. */
const verbsMissing = (access: number, isNew: boolean) =>
  verbs.filter((verb) => [isNew ? 'POST' : 'PATCH', 'PUT'].includes(verb) && (access & verbMask[verb]) === 0);

/** The name of a service; null where it is not known. */
const serviceNameOf = (
  id: number | null,
  ownService: DatabaseService | undefined,
  services: readonly DatabaseService[],
): string | null => (id === null ? ownService?.name : services.find((service) => service.id === id)?.name) ?? null;

/** Another relation of the name: the server would refuse one by a foreign key, and replace a virtual one. */
const findClash = (name: string | null, { related }: SchemaTable): RelationDescription | null =>
  related.find((relation) => relation.name.toLowerCase() === name?.toLowerCase()) ?? null;

const fieldsParts: FieldsPart[] = ['field', 'ref_field', 'junction_field', 'junction_ref_field'];

/** Fills in fields that are blank or were filled in before; what somebody chose stays. */
function fillIn({ changes, filled }: Edit, base: RelationDraft, own: TableDescription, ends: Ends): Edit {
  const draft = { ...base, ...changes };
  const likely = likelyFields(draft, own, ends);
  const next: Edit = { changes: { ...changes }, filled: { ...filled } };
  for (const part of fieldsParts) {
    if (!isBlankList(draft[part]) && draft[part].join(',') !== filled[part]) continue;
    const fields = likely[part] ?? [''];
    if (likely[part] === undefined && filled[part] === undefined) continue;
    next.changes[part] = fields;
    next.filled[part] = fields.join(',');
  }
  return next;
}

/** The input that a refusal is about, where its text tells. */
function partOf(message: string, { alias }: RelationDraft): Refusal['part'] {
  const [, key] = /^The (alias|label|description) of '/.exec(message) ?? [];
  if (key) return key as Refusal['part'];
  return alias !== '' && message.startsWith(`The name '${alias}' is already used`) ? 'alias' : null;
}
