import { Autocomplete, Input, Loader, SegmentedControl, Select, Textarea } from '@mantine/core';
import { type Requestor, requestorMask, type Verb, verbs } from '@sluice/contract';
import { useId } from 'react';
import { useText } from '../text/index.ts';
import { describeError, dropDownProps, FailedLine, SearchSelect } from '../ui/index.ts';
import classes from './explain.module.css';
import {
  isAboutTable,
  maxPathLength,
  maxRecordLength,
  maxSharedRecordLength,
  noApp,
  parsePath,
  pathOf,
  type Question,
  readRecord,
} from './question.ts';
import { type AppChoice, usePaths, useServices } from './sources.ts';

interface QuestionFormProps {
  question: Question;
  changeQuestion: (changes: Partial<Question>) => void;
  /** Apps a person may come through; undefined while they load, null where the question is of no person. */
  apps: AppChoice[] | undefined | null;
  likelyApp: number | null;
  /** Why the apps are missing, and another try. */
  appsState: { error: Error | null; retry: () => void };
}

/** How many choices a menu shows at once; typing narrows them. */
const maxChoices = 60;

/** Which call is asked about: verb, service, path, app, way, record. */
export function QuestionForm({ question, changeQuestion, apps, likelyApp, appsState }: QuestionFormProps) {
  const t = useText('explain');
  const requestorLabel = useId();
  const servicesQuery = useServices(true);
  const { paths, error: pathsError, retry: retryPaths } = usePaths(question.service);
  const serviceOptions = (servicesQuery.data ?? []).map(({ name, label }) => ({
    value: name,
    label: label && label !== name ? `${name} · ${label}` : name,
  }));
  // A service from the address that does not exist (any more) can be asked about all the same.
  if (question.service !== '' && !serviceOptions.some(({ value }) => value === question.service))
    serviceOptions.push({ value: question.service, label: question.service });

  return (
    <div className={classes.question}>
      <Select
        {...dropDownProps}
        className={classes.verb ?? ''}
        label={t('verb')}
        data={verbs}
        value={question.verb}
        onChange={(verb) => changeQuestion({ verb: verb as Verb })}
        allowDeselect={false}
      />
      <SearchSelect
        className={classes.service ?? ''}
        label={t('service')}
        placeholder={t('serviceNone')}
        data={serviceOptions}
        value={question.service || null}
        onChange={(service) => changeQuestion({ service: service ?? '' })}
        error={
          servicesQuery.error ? (
            <FailedLine onRetry={() => void servicesQuery.refetch()}>
              {t('servicesFailed', { reason: reasonOf(servicesQuery.error) })}
            </FailedLine>
          ) : null
        }
        limit={maxChoices}
      />
      <Autocomplete
        {...dropDownProps}
        className={classes.path ?? ''}
        classNames={{ ...dropDownProps.classNames, input: classes.mono ?? '' }}
        label={t('path')}
        placeholder={paths.find((path) => path.includes('/')) ?? paths[0] ?? ''}
        description={question.service === '' ? t('pathHint') : `${question.verb} /api/v2/${pathOf(question)}`}
        data={[...paths]}
        error={
          pathsError ? (
            <FailedLine onRetry={retryPaths}>{t('pathsFailed', { reason: reasonOf(pathsError) })}</FailedLine>
          ) : null
        }
        value={question.component}
        onChange={(typed) => changeQuestion(parsePath(typed))}
        maxLength={maxPathLength}
        limit={maxChoices}
        spellCheck={false}
        autoCapitalize="off"
      />
      {apps === null ? null : (
        <AppSelect
          apps={apps}
          state={appsState}
          likelyApp={likelyApp}
          value={question.app}
          onChange={(app) => changeQuestion({ app })}
        />
      )}
      <Input.Wrapper
        className={classes.requestor ?? ''}
        label={t('requestor')}
        labelElement="div"
        labelProps={{ id: requestorLabel }}
      >
        <SegmentedControl
          role="radiogroup"
          aria-labelledby={requestorLabel}
          fullWidth
          size="sm"
          data={Object.keys(requestorMask).map((value) => ({ value, label: t(`by.${value as Requestor}`) }))}
          value={question.requestor}
          onChange={(requestor) => changeQuestion({ requestor: requestor as Requestor })}
        />
      </Input.Wrapper>
      {isAboutTable(question) ? (
        <Textarea
          className={classes.record ?? ''}
          classNames={{ input: classes.mono ?? '' }}
          label={t('record')}
          description={question.record.length > maxSharedRecordLength ? t('recordNotShared') : t('recordHint')}
          placeholder={t('recordExample')}
          value={question.record}
          onChange={(event) => changeQuestion({ record: event.currentTarget.value })}
          error={readRecord(question.record) === undefined ? t('recordWrong') : null}
          maxLength={maxRecordLength}
          autosize
          minRows={1}
          maxRows={10}
          spellCheck={false}
        />
      ) : null}
    </div>
  );
}

const reasonOf = (error: unknown): string => describeError(error).messages[0] ?? '';

interface AppSelectProps {
  apps: AppChoice[] | undefined;
  state: QuestionFormProps['appsState'];
  likelyApp: number | null;
  value: string;
  onChange: (app: string) => void;
}

function AppSelect({ apps, state, likelyApp, value, onChange }: AppSelectProps) {
  const t = useText('explain');
  const item = ({ id, name }: AppChoice) => ({ value: String(id), label: name });
  const groups = [
    { group: t('appOwn'), items: (apps ?? []).filter((app) => app.hasRole).map(item) },
    { group: t('appOther'), items: (apps ?? []).filter((app) => !app.hasRole).map(item) },
  ].filter(({ items }) => items.length > 0);
  const selectedApp = value || (likelyApp === null ? noApp : String(likelyApp));
  const isUnknown = selectedApp !== noApp && !(apps ?? []).some(({ id }) => String(id) === selectedApp);
  return (
    <SearchSelect
      className={classes.app ?? ''}
      label={t('app')}
      data={[
        { value: noApp, label: t('appNone') },
        ...(isUnknown ? [{ value: selectedApp, label: `#${selectedApp}` }] : []),
        ...groups,
      ]}
      value={apps === undefined && value === '' ? null : selectedApp}
      placeholder={t('appLoading')}
      error={
        state.error ? (
          <FailedLine onRetry={state.retry}>{t('appsFailed', { reason: reasonOf(state.error) })}</FailedLine>
        ) : null
      }
      rightSection={apps === undefined ? <Loader size="xs" aria-hidden /> : undefined}
      onChange={(app) => app && onChange(app)}
      limit={maxChoices}
      allowDeselect={false}
    />
  );
}
