import { Alert, Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconInfoCircle } from '@tabler/icons-react';
import { type KeyboardEvent, useContext, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useSession } from '../api/index.ts';
import { EditorContext, Section } from '../editor/index.ts';
import { useText } from '../text/index.ts';
import { describeError, NotAllowed, RequestId } from '../ui/index.ts';
import { Answer } from './answer.tsx';
import classes from './explain.module.css';
import {
  type ExplainSubject,
  isAboutTable,
  type Question,
  readQuestion,
  requestOf,
  writeQuestion,
} from './question.ts';
import { QuestionForm } from './question-form.tsx';
import { useApps, useExplanation } from './sources.ts';

interface ExplainPanelProps {
  subject: ExplainSubject;
  /** Whether the editor around has unsaved changes; the editor itself answers when absent. */
  isDirty?: boolean;
}

/** How long typing rests before the server is asked, in milliseconds. */
const askDelay = 350;

/** Asks the server about a call of one saved person, app or role, and shows the whole decision. */
export function ExplainPanel({ subject, isDirty }: ExplainPanelProps) {
  const t = useText('explain');
  const session = useSession();
  const isSaved = [subject.user_id, subject.app_id, subject.role_id].some((id) => id !== undefined);
  const editor = useContext(EditorContext);
  return (
    <Section title={t('title')} text={t('hint')} wide>
      {session?.is_sys_admin !== true ? (
        <NotAllowed text={t('adminsOnly')} />
      ) : isSaved ? (
        <ExplainContent subject={subject} isDirty={isDirty ?? editor?.isDirty ?? false} saved={editor?.saves ?? 0} />
      ) : (
        <Text c="var(--s-text-soft)">{t('notSaved')}</Text>
      )}
    </Section>
  );
}

function ExplainContent({ subject, isDirty, saved }: { subject: ExplainSubject; isDirty: boolean; saved: number }) {
  const t = useText('explain');
  const { question, changeQuestion, submitted, submitNow } = useQuestion();
  const { apps, ...appsState } = useApps(subject.user_id);
  const isReady = subject.user_id === undefined || apps !== undefined || submitted.app !== '';
  const likelyApp = apps?.find((app) => app.hasRole)?.id ?? null;
  const { data, error, isFetching } = useExplanation(isReady ? requestOf(subject, submitted, likelyApp) : null, saved);

  // The panel stands in the editor's form, where Enter would save.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    submitNow();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the inputs inside
    <div className={classes.panel} onKeyDown={onKeyDown}>
      {isDirty ? (
        <Alert variant="light" color="yellow" p="xs" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('unsaved')}
        </Alert>
      ) : null}
      <QuestionForm
        question={question}
        changeQuestion={changeQuestion}
        apps={subject.user_id === undefined ? null : apps}
        appsState={appsState}
        likelyApp={likelyApp}
      />
      {question.service === '' ? (
        <Text className={classes.ask}>{t('ask')}</Text>
      ) : error ? (
        <Refusal error={error} />
      ) : data ? (
        <div className={classes.answer} data-old={isFetching || undefined} aria-busy={isFetching}>
          <Answer explanation={data} isRecordAsked={isAboutTable(submitted)} subject={subject} />
        </div>
      ) : isFetching ? (
        <div className={classes.ask}>
          <Loader size="sm" aria-label={t('asking')} />
        </div>
      ) : null}
    </div>
  );
}

/** The question as typed and, after a short pause, as submitted; the address follows what is submitted. */
function useQuestion() {
  const [address, setAddress] = useSearchParams();
  const { state } = useLocation();
  const [question, setQuestion] = useState(() => readQuestion(address));
  const [submitted, setSubmitted] = useState(question);
  const [debouncedQuestion] = useDebouncedValue(question, askDelay);
  useEffect(() => setSubmitted(debouncedQuestion), [debouncedQuestion]);

  // Replaced, so that one step back leaves the tab; with its state, which knows the list the editor was opened from.
  const write = useRef((_question: Question) => {});
  write.current = (question) => {
    const next = writeQuestion(address, question);
    if (String(next) !== String(address)) setAddress(next, { replace: true, state });
  };
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else write.current(submitted);
  }, [submitted]);

  return {
    question,
    changeQuestion: (changes: Partial<Question>) => setQuestion((question) => ({ ...question, ...changes })),
    submitted,
    submitNow: () => setSubmitted(question),
  };
}

/** Why there is no answer, in its place. */
function Refusal({ error }: { error: unknown }) {
  const t = useText('explain');
  const { messages, requestId } = describeError(error);
  return (
    <Alert color="red" variant="light" title={t('failed')} role="alert" className={classes.failed ?? ''}>
      {messages.map((message) => (
        <Text key={message} size="sm" className={classes.words}>
          {message}
        </Text>
      ))}
      {requestId ? <RequestId id={requestId} /> : null}
    </Alert>
  );
}
