// One script: its language, when it counts, its text and where that lives; beside it a dry run, its last runs and its log.
import { Button, NumberInput, Select, Switch, Tabs, TextInput } from '@mantine/core';
import { IconFileCode, IconInfoCircle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { EditorScreen, useEditor, useField } from '../../editor/index.ts';
import { EngineNotice, isRunnable, ScriptContent, useLinkableServices, useScriptTypes } from '../../fields/index.ts';
import { loadSampleScript } from '../../fields/script-samples/index.ts';
import { text, useText } from '../../text/index.ts';
import { confirm, dropDownProps, notify } from '../../ui/index.ts';
import { editorBase, type Level, levelAddress } from './address.ts';
import { completeScript } from './completion.ts';
import { Crumbs } from './crumbs.tsx';
import { nameProblem, placeFinder, readName, serviceOf } from './names/events.ts';
import { acceptedEndings, emptyScript, isScriptType, type ScriptForm, toForm, toRecord } from './record.ts';
import { LogPanel } from './runs/log-panel.tsx';
import { RunsPanel } from './runs/runs-panel.tsx';
import classes from './scripts.module.css';
import { permissionTexts, useEvents, useScriptRights } from './sources.ts';
import { firstDraft, type TryDraft } from './try/draft.ts';
import { TryPanel } from './try/try-panel.tsx';
import { Writers } from './writers.tsx';

export function ScriptEditor({ name }: { name: string }) {
  const t = useText('scripts');
  const level = usePlace(name);
  const { mayWrite, mayDelete } = useScriptRights();
  const { linkable } = useLinkableServices();
  const linkedType = (form: ScriptForm) => linkable.find(({ id }) => id === form.storage_service_id)?.type;
  const problem = nameProblem(name);
  return (
    <EditorScreen<ScriptForm>
      id={name}
      isNamed
      texts="scripts"
      resource="event_script"
      base={editorBase}
      closeTo={levelAddress(level)}
      permissionTexts={permissionTexts}
      emptyForm={emptyScript(name)}
      toForm={toForm}
      toRecord={(form) => toRecord(form, linkedType(form))}
      toDraft={(form) => form}
      validate={(): Record<string, string> => (problem ? { name: text(`scripts:name.${problem}`) } : {})}
      canSave={() => mayWrite}
      isReadOnly={() => !mayWrite}
      isDeletable={() => mayDelete}
      savedMessage={({ name }) => text('scripts:savedNamed', { name })}
      noticeTitle={t('title')}
      labels={{ type: t('fields.type'), content: t('fields.content'), is_active: t('fields.active') }}
      above={<Crumbs level={level} script={name} />}
    >
      <ScriptParts />
    </EditorScreen>
  );
}

/** Where a script stands in the drill-down; as far as its service is known. */
function usePlace(name: string): Level {
  const service = serviceOf(name);
  const { data: tree } = useEvents(service);
  return useMemo(() => {
    if (!tree || Object.keys(tree).length === 0) return {};
    return { service, ...placeFinder(tree)(name) };
  }, [tree, name, service]);
}

function ScriptParts() {
  const { form, isNew } = useEditor<ScriptForm>();
  const [linkedText, setLinkedText] = useState('');
  const { storage_service_id, content } = form.values;
  return (
    <div className={classes.parts}>
      <Settings />
      <Content onLinkedText={setLinkedText} />
      {readName(form.values.name).step === 'queued' ? <QueueSettings /> : null}
      <Workbench isNew={isNew} content={storage_service_id === null ? content : linkedText} />
    </div>
  );
}

function Settings() {
  const t = useText('scripts');
  const { form, isReadOnly } = useEditor<ScriptForm>();
  const { name, type, is_active: isActive } = form.values;
  const language = useField<string>('type');
  const active = useField<boolean>('is_active');
  const allow = useField<boolean>('allow_event_modification');
  const { data: types = [] } = useScriptTypes();
  const { step } = readName(name);
  const options = types.some((candidate) => candidate.name === type) ? types : [...types, { name: type, label: type }];
  return (
    <section className={classes.settings} aria-label={t('settings')}>
      <div className={classes.settingsRow}>
        <TextInput
          label={t('fields.name')}
          value={name}
          error={form.errors.name}
          readOnly
          className={classes.nameField ?? ''}
          classNames={{ input: classes.mono ?? '' }}
        />
        <Select
          {...dropDownProps}
          label={t('fields.type')}
          data={options.map((option) => ({
            value: option.name,
            label: isRunnable(option) ? option.label : t('fields.notHere', { type: option.label }),
          }))}
          value={type}
          error={language.error}
          disabled={isReadOnly}
          onChange={(value) => value && language.onChange(value)}
          allowDeselect={false}
          className={classes.typeField ?? ''}
        />
        <div className={classes.switches}>
          <Switch
            label={t('fields.active')}
            checked={active.value}
            disabled={isReadOnly}
            onChange={(event) => active.onChange(event.currentTarget.checked)}
          />
          {step === 'pre_process' || step === 'post_process' ? (
            <Switch
              label={t(step === 'pre_process' ? 'fields.modifyRequest' : 'fields.modifyResponse')}
              checked={allow.value}
              disabled={isReadOnly}
              onChange={(event) => allow.onChange(event.currentTarget.checked)}
            />
          ) : null}
        </div>
      </div>
      <p className={classes.soft}>
        {t(`when.${step}`)} {isActive ? null : t('fields.inactive')}
      </p>
      <EngineNotice type={type} />
    </section>
  );
}

function Content({ onLinkedText }: { onLinkedText: (content: string) => void }) {
  const t = useText('scripts');
  const { form, isReadOnly, isNew } = useEditor<ScriptForm>();
  const { name, type, content } = form.values;
  const hasResponse = readName(name).step !== 'pre_process';
  const complete = useMemo(() => completeScript(isScriptType(type) ? type : 'v8js', hasResponse), [type, hasResponse]);
  return (
    <section className={classes.content}>
      <ScriptContent
        label={t('fields.content')}
        error={form.errors.content}
        value={content}
        disabled={isReadOnly}
        onChange={(next) => form.setFieldValue('content', next)}
        config={form.values}
        onConfig={(values) => form.setValues(values as ScriptForm)}
        // There is nothing in the cache of one that is not stored.
        service={{ type, name: isNew ? '' : name }}
        title={t('title')}
        accepted={acceptedEndings}
        tools={<SampleButton />}
        height="clamp(16rem, 46dvh, 34rem)"
        complete={complete}
        besideLink={(link) => <Writers link={link} />}
        onLinkedText={onLinkedText}
      />
    </section>
  );
}

/** Puts the sample of the chosen language into the editor (SCR-007). */
function SampleButton() {
  const t = useText('scripts');
  const { form, isReadOnly } = useEditor<ScriptForm>();
  const { type, content } = form.values;
  const [isLoading, setLoading] = useState(false);
  if (!isScriptType(type)) return null;
  const insert = async () => {
    const isSure =
      content.trim() === '' || (await confirm({ message: t('sample.replace'), impact: t('sample.impact') }));
    if (!isSure) return;
    setLoading(true);
    try {
      form.setFieldValue('content', await loadSampleScript(type));
    } catch (error) {
      notify.error(t('title'), error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      disabled={isReadOnly}
      loading={isLoading}
      leftSection={<IconFileCode size="1.1em" aria-hidden />}
      onClick={() => void insert()}
    >
      {t('sample.insert')}
    </Button>
  );
}

/** How a queued script is run (contract/event-scripts-and-script-services.md §6). */
function QueueSettings() {
  const t = useText('scripts');
  const { form, isReadOnly } = useEditor<ScriptForm>();
  const { config } = form.values;
  const change = (changes: Record<string, unknown>) => form.setFieldValue('config', { ...config, ...changes });
  return (
    <section className={classes.queue} aria-label={t('queue.title')}>
      <h2>{t('queue.title')}</h2>
      <p className={classes.soft}>{t('queue.hint')}</p>
      <div className={classes.queueFields}>
        {(['connection', 'queue'] as const).map((field) => (
          <TextInput
            key={field}
            label={t(`queue.${field}`)}
            value={String(config[field] ?? '')}
            disabled={isReadOnly}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
        <NumberInput
          label={t('queue.delay')}
          value={config.delay === undefined || config.delay === null ? '' : Number(config.delay)}
          disabled={isReadOnly}
          onChange={(value) => change({ delay: value === '' ? null : Number(value) })}
          min={0}
          allowDecimal={false}
          hideControls
        />
      </div>
    </section>
  );
}

const parts = ['try', 'runs', 'log'] as const;
type Part = (typeof parts)[number];

/** Below the text: what shows how it does. Which part is open is in the address. */
function Workbench({ isNew, content }: { isNew: boolean; content: string }) {
  const t = useText('scripts');
  const { form } = useEditor<ScriptForm>();
  const [address, setAddress] = useSearchParams();
  const part = parts.find((name) => name === address.get('show')) ?? 'try';
  const { name } = form.values;
  const { data: tree } = useEvents(serviceOf(name));
  const [draft, setDraft] = useState<TryDraft | null>(null);
  const shown = draft ?? firstDraft(name, tree);
  const show = (next: Part) =>
    setAddress(
      (now) => {
        const changed = new URLSearchParams(now);
        if (next === 'try') changed.delete('show');
        else changed.set('show', next);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section className={classes.workbench}>
      <Tabs value={part} onChange={(next) => show(next as Part)} keepMounted={false}>
        <Tabs.List>
          {parts.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`workbench.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="try">
          <TryPanel form={form.values} content={content} draft={shown} onDraft={setDraft} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">{isNew ? <NotYet /> : <RunsPanel name={name} />}</Tabs.Panel>
        <Tabs.Panel value="log">{isNew ? <NotYet /> : <LogPanel name={name} />}</Tabs.Panel>
      </Tabs>
    </section>
  );
}

function NotYet() {
  const t = useText('scripts');
  return (
    <p className={classes.soft}>
      <IconInfoCircle className={classes.smallIcon} aria-hidden /> {t('workbench.notYet')}
    </p>
  );
}
