// The editor of a relation (SCH-007, SCH-012, OPEN-173), beside the table it belongs to. use-relation.ts is its state, ends.tsx what
// it joins, likely.ts guesses at that, sentence.ts reads it back.
import { Button, Radio, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type RelationKind, relationKinds, verbMask } from '@sluice/contract';
import { IconTrash } from '@tabler/icons-react';
import { type Ref, useEffect, useRef } from 'react';
import { SidePane, sidePaneClasses } from '../../../database/index.ts';
import { useText } from '../../../text/index.ts';
import { Failed } from '../../../ui/index.ts';
import { DraftNotice } from '../../../unsaved/index.ts';
import type { SchemaTable } from '../address/sources.ts';
import { labelOf, missingParts } from '../draft/relation.ts';
import { PlanPanel } from '../plan/index.ts';
import { Ends } from './ends.tsx';
import { suggestionsFor } from './likely.ts';
import classes from './relation.module.css';
import { relationSentence } from './sentence.ts';
import { useTableNames } from './sources.ts';
import { useDeleteRelation } from './use-delete-relation.ts';
import { type RelationForm, useRelation } from './use-relation.ts';

interface RelationPaneProps {
  service: string;
  table: SchemaTable;
  /** The relation; null: a new one. */
  name: string | null;
  onClose: () => void;
}

export function RelationPane({ service, table, name, onClose }: RelationPaneProps) {
  const t = useText('schema');
  const original = table.related.find((relation) => relation.name === name) ?? null;
  if (name !== null && original === null)
    return (
      <SidePane
        title={t('relation.editTitle', { name })}
        onClose={onClose}
        onSave={null}
        actions={
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        }
      >
        <Failed title={t('relation.missing', { name })} error={t('relation.missingText')} />
      </SidePane>
    );
  return <RelationEditor service={service} table={table} original={original} onClose={onClose} />;
}

/** What can be chosen comes first: the ends of a virtual relation; of one by a foreign key, what is said of it. */
function RelationEditor(props: Parameters<typeof useRelation>[0]) {
  const t = useText('schema');
  const form = useRelation(props);
  const deleteRelation = useDeleteRelation();
  const { service, table, original, shownMissing, refusal, isReadOnly, isVirtual } = form;
  const problem =
    shownMissing.size > 0
      ? t('relation.blank')
      : form.shownClash
        ? t('relation.nameTaken', { name: form.shownClash.name })
        : refusal?.message;
  // The pane leads to the first input that is wrong; a group of radios is none to it.
  const types = useRef<HTMLDivElement>(null);
  const isTypeMissing = shownMissing.has('type');
  useEffect(() => {
    if (isTypeMissing) types.current?.querySelector('input')?.focus();
  }, [isTypeMissing]);
  const canDelete = original?.is_virtual === true && (table.access & verbMask.DELETE) !== 0;
  return (
    <SidePane
      title={original ? t('relation.editTitle', { name: original.name }) : t('relation.newTitle')}
      note={
        shownMissing.size > 0 ? (
          <Text className={classes.errorCount!}>{t('relation.blankCount', { count: shownMissing.size })}</Text>
        ) : null
      }
      onClose={form.close}
      onSave={form.save}
      problem={problem}
      actions={
        <>
          <Button loading={form.isSaving} disabled={isReadOnly} onClick={form.save}>
            {t('save')}
          </Button>
          <Button variant="default" className={sidePaneClasses.cancel!} onClick={form.close}>
            {t('cancel')}
          </Button>
          {canDelete ? (
            <>
              <span className={classes.space} />
              <Button
                variant="subtle"
                className={classes.danger!}
                leftSection={<IconTrash className={classes.icon} aria-hidden />}
                disabled={form.isSaving}
                onClick={() => void deleteRelation(service, table.name, original.name, form.letPass)}
              >
                {t('relation.delete')}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      {form.kept ? <DraftNotice {...form.kept} /> : null}
      <form
        data-inputs
        noValidate
        className={sidePaneClasses.inputs}
        onSubmit={(event) => {
          event.preventDefault();
          form.save();
        }}
      >
        <p className={classes.sentence} data-open={missingParts(form.draft).size > 0 || undefined}>
          {relationSentence(form.draft, table.name)}
        </p>
        {isReadOnly ? (
          <p className={classes.note}>
            {t('relation.notAllowed', { verbs: form.missingVerbs.join(', '), table: table.name })}
          </p>
        ) : isVirtual ? null : (
          <p className={classes.note}>{t('relation.notVirtual')}</p>
        )}
        {original ? null : <Suggestions form={form} />}
        {isVirtual ? (
          <>
            <TypeInput form={form} ref={types} />
            <Ends form={form} />
            <About form={form} />
          </>
        ) : (
          <>
            <About form={form} />
            <TypeInput form={form} ref={types} />
            <Ends form={form} />
          </>
        )}
        <Switch
          label={t('relation.virtual')}
          description={t(isVirtual ? 'relation.virtualHelp' : 'relation.nativeHelp')}
          checked={isVirtual}
          disabled
          readOnly
        />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      <PlanPanel service={service} write={form.write} />
    </SidePane>
  );
}

/** Name, alias, label and description, and whether it is always read along. */
function About({ form }: { form: RelationForm }) {
  const t = useText('schema');
  const { draft, original, name, clash, refusal, isReadOnly, change } = form;
  const errorOf = (part: 'alias' | 'label' | 'description') => (refusal?.part === part ? refusal.message : undefined);
  const isRenamed = original !== null && name !== null && name !== original.name;
  const nameHelp = !isRenamed
    ? t('relation.nameHelp')
    : original.alias === null
      ? t('relation.nameChanges', { name: original.name })
      : t('relation.nameChangesAliased', { name: original.name, alias: original.alias });
  return (
    <>
      <TextInput
        label={t('relation.name')}
        description={nameHelp}
        placeholder={t('relation.nameOpen')}
        value={name ?? ''}
        readOnly
        error={clash ? t('relation.nameTaken', { name: clash.name }) : undefined}
        classNames={{ input: classes.name! }}
      />
      <TextInput
        label={t('relation.alias')}
        description={t('relation.aliasHelp')}
        value={draft.alias}
        onChange={(event) => change({ alias: event.currentTarget.value })}
        error={errorOf('alias')}
        disabled={isReadOnly}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label={t('relation.label')}
        placeholder={name === null ? '' : labelOf(name)}
        value={draft.label}
        onChange={(event) => change({ label: event.currentTarget.value })}
        error={errorOf('label')}
        disabled={isReadOnly}
        autoComplete="off"
      />
      <Textarea
        label={t('relation.description')}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        error={errorOf('description')}
        disabled={isReadOnly}
        autosize
        minRows={2}
        maxRows={8}
      />
      <Switch
        label={t('relation.alwaysFetch')}
        description={t('relation.alwaysFetchHelp')}
        checked={draft.always_fetch}
        onChange={(event) => change({ always_fetch: event.currentTarget.checked })}
        disabled={isReadOnly}
      />
    </>
  );
}

/** The four types, each with what it means here (SCH-057). */
function TypeInput({ form, ref }: { form: RelationForm; ref: Ref<HTMLDivElement> }) {
  const t = useText('schema');
  const { draft, table, isOpen, shownMissing } = form;
  const words = { table: table.name, ref: draft.ref_table ?? t('relation.otherTable') };
  return (
    <Radio.Group
      label={t('relation.type')}
      value={draft.type}
      onChange={(type) => void form.choose({ type: type as RelationKind })}
      error={shownMissing.has('type') ? t('relation.choose') : undefined}
      withAsterisk={isOpen}
    >
      <div className={classes.types} ref={ref}>
        {relationKinds.map((kind) => (
          <Radio
            key={kind}
            value={kind}
            label={t(`relation.types.${kind}`)}
            description={t(`relation.typeHelp.${kind}`, words)}
            disabled={!isOpen}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** While nothing is chosen: relations that names of fields suggest, each a click away. */
function Suggestions({ form }: { form: RelationForm }) {
  const t = useText('schema');
  const { draft, service, table, isOpen } = form;
  const { data: tables = [] } = useTableNames(isOpen ? service : null);
  const isBlank = draft.type === null && draft.ref_table === null;
  const suggestions = suggestionsFor(table, tables).slice(0, 6);
  if (!isOpen || !isBlank || suggestions.length === 0) return null;
  return (
    <div className={classes.suggestions}>
      <p className={classes.suggestionsTitle}>{t('relation.suggestions')}</p>
      {suggestions.map((suggestion) => (
        <Button
          key={suggestion.field}
          variant="default"
          size="compact-sm"
          className={classes.mono!}
          onClick={() =>
            void form.choose({
              type: 'belongs_to',
              field: [suggestion.field],
              ref_service_id: null,
              ref_table: suggestion.table,
              ref_field: [''],
            })
          }
        >
          {t('relation.suggestion', { ...suggestion })}
        </Button>
      ))}
    </div>
  );
}
