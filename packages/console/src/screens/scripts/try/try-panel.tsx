// A dry run: the script as it stands, on a call that is not made. What is typed here is kept nowhere.
import { Button, Group, Select, Textarea, TextInput } from '@mantine/core';
import { type DryRun, type FailedCall, type Verb, verbs } from '@sluice/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { api, useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { dropDownProps, Failed, SuggestInput } from '../../../ui/index.ts';
import { serviceOf } from '../names/events.ts';
import type { ScriptForm } from '../record.ts';
import { dryRun, useRuns } from '../sources.ts';
import { dryRunRequest, needsAnswer, problemOf, readCall, type TryDraft, type TryProblem } from './draft.ts';
import { TryResult } from './result.tsx';
import classes from './try.module.css';

interface TryPanelProps {
  form: ScriptForm;
  /** The text as the editor shows it: of a linked script as it was read where it lives. */
  content: string;
  draft: TryDraft;
  onDraft: (draft: TryDraft) => void;
}

export function TryPanel({ form, content, draft, onDraft }: TryPanelProps) {
  const t = useText('scripts');
  const [result, setResult] = useState<DryRun | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<TryProblem | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const calls = useRecentCalls(form.name);
  const hasAnswer = needsAnswer(form.name);
  const change = (changes: Partial<TryDraft>) => {
    setProblem(null);
    onDraft({ ...draft, ...changes });
  };
  const errorOf = (name: TryProblem) => (problem === name ? t(`try.problem.${name}`) : undefined);

  const run = async () => {
    const wrong = problemOf(draft);
    setProblem(wrong);
    if (wrong) return;
    running.current?.abort();
    const request = new AbortController();
    running.current = request;
    setRunning(true);
    try {
      const answer = await dryRun(dryRunRequest(form, content, draft), request.signal);
      setResult(answer);
      setFailure(null);
    } catch (error) {
      if (!request.signal.aborted) setFailure(error);
    } finally {
      if (running.current === request) setRunning(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing && !event.defaultPrevented;
    const isInList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    const isText = event.target instanceof HTMLTextAreaElement;
    if (!isEnter || (isText && !(event.metaKey || event.ctrlKey)) || event.target instanceof HTMLButtonElement) return;
    // Not a save of the editor around.
    event.preventDefault();
    if (!isInList || event.metaKey || event.ctrlKey) void run();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in its inputs runs the script
    <div className={classes.try} onKeyDown={onKeyDown}>
      <p className={classes.hint}>{t('try.hint')}</p>
      <div className={classes.call}>
        <Select
          {...dropDownProps}
          label={t('try.verb')}
          data={[...verbs]}
          value={draft.verb}
          onChange={(verb) => verb && change({ verb: verb as Verb })}
          allowDeselect={false}
          className={classes.verb ?? ''}
        />
        <SuggestInput
          label={t('try.path')}
          placeholder="db/_table/contact/1?fields=name"
          data={calls}
          value={draft.path}
          isLoading={false}
          error={errorOf('path')}
          onChange={(text) => change(readCall(text))}
          className={classes.path ?? ''}
          autoCapitalize="off"
        />
      </div>
      <div className={classes.inputs}>
        <Textarea
          label={t('try.headers')}
          placeholder="X-Name: value"
          value={draft.headers}
          error={errorOf('headers')}
          onChange={(event) => change({ headers: event.currentTarget.value })}
          {...areaProps}
        />
        <Textarea
          label={t('try.body')}
          placeholder={'{"resource": [{"name": "Ada"}]}'}
          value={draft.body}
          onChange={(event) => change({ body: event.currentTarget.value })}
          {...areaProps}
        />
        {hasAnswer ? (
          <div className={classes.answer}>
            <TextInput
              label={t('try.status')}
              placeholder="200"
              value={draft.status}
              error={errorOf('status')}
              onChange={(event) => change({ status: event.currentTarget.value })}
              autoComplete="off"
              inputMode="numeric"
            />
            <Textarea
              label={t('try.answer')}
              description={t('try.answerHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={'{"resource": []}'}
              value={draft.answer}
              onChange={(event) => change({ answer: event.currentTarget.value })}
              {...areaProps}
            />
          </div>
        ) : null}
      </div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconPlayerPlay className={classes.icon} aria-hidden />}
          loading={isRunning}
          onClick={() => void run()}
        >
          {t('try.run')}
        </Button>
        <span className={classes.soft}>{t('try.notKept')}</span>
      </Group>
      <div aria-live="polite">
        {failure ? (
          <Failed error={failure} title={t('try.refused')} />
        ) : result ? (
          <TryResult result={result} mayModify={form.allow_event_modification} />
        ) : null}
      </div>
    </div>
  );
}

const areaProps = {
  autosize: true,
  minRows: 2,
  maxRows: 12,
  spellCheck: false,
  autoComplete: 'off',
  classNames: { input: classes.mono ?? '' },
} as const;

/** Calls that were made lately, to try the script on: those that it ran in, and those of its service that failed. */
function useRecentCalls(name: string): string[] {
  const isAdmin = useSession()?.is_sys_admin === true;
  const service = serviceOf(name);
  const { data: runs } = useRuns({ name, follows: false });
  const { data: failed } = useQuery({
    queryKey: ['system', 'service', 'failures', service],
    queryFn: async ({ signal }) =>
      (await api.get<{ resource: FailedCall[] }>('system/service/_failures', { query: { service }, signal })).resource,
    enabled: isAdmin && service !== '',
    retry: false,
  });
  return useMemo(() => {
    const ran = (runs ?? []).map(({ request }) => `${request.verb} ${request.path}`);
    const refused = (failed ?? []).map(({ verb, path }) => `${verb} ${service}/${path}`);
    return [...new Set([...ran, ...refused])];
  }, [runs, failed, service]);
}
