import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlugConnected } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { useEditor } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, RequestId } from '../../ui/index.ts';
import { type ServiceForm, toRecord } from './record.ts';
import classes from './services.module.css';

type Outcome = 'untested' | 'running' | 'ok' | ApiError;

/** The last test of an editor, and the configuration it was of: the next change of the settings drops its outcome. */
interface TestRun {
  config: unknown;
  outcome: Outcome;
}

/** Kept by the editor, since several of its parts show the same test. */
export type TestRunState = [TestRun | null, (run: TestRun) => void];

/** The state of a test of the connection that the form describes. */
export interface ConnectionTestState {
  outcome: Outcome;
  run: () => Promise<void>;
  /** What is wrong with single fields, by name. */
  errors: Record<string, string>;
}

/** Tests the connection that the form describes, saved or not. */
export function useConnectionTest([lastRun, setRun]: TestRunState): ConnectionTestState {
  const { form, id } = useEditor<ServiceForm>();
  const { config } = form.values;
  const outcome = lastRun?.config === config ? lastRun.outcome : 'untested';

  const run = async () => {
    setRun({ config, outcome: 'running' });
    const { type, name, config: tried } = toRecord(form.values, undefined);
    try {
      await api.post(id === null ? 'system/service/_test' : `system/service/${id}/_test`, {
        body: { type, name, config: tried },
      });
      // What was wrong with the settings is not: they led to the database.
      form.setErrors((errors) =>
        Object.fromEntries(Object.entries(errors).filter(([field]) => !field.startsWith('config.'))),
      );
      setRun({ config, outcome: 'ok' });
    } catch (error) {
      const refusal = error instanceof ApiError ? error : new ApiError({ status: 0, code: 0, message: String(error) });
      setRun({ config, outcome: refusal });
    }
  };
  const fieldErrors = outcome instanceof ApiError ? Object.entries(outcome.fieldMessages()) : [];
  return {
    outcome,
    run,
    errors: Object.fromEntries(fieldErrors.map(([name, messages]) => [name, messages.join(' ')])),
  };
}

/** The button that tries the connection, and beneath it how it went, in the driver's own words. */
export function ConnectionTest({ outcome, run, errors }: ConnectionTestState) {
  const t = useText('services');
  const outcomeBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome === 'ok' || outcome instanceof ApiError) outcomeBox.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);

  return (
    <div className={classes.test}>
      <Button
        variant="default"
        leftSection={<IconPlugConnected size="1.1em" aria-hidden />}
        loading={outcome === 'running'}
        onClick={() => void run()}
      >
        {t('test.button')}
      </Button>
      <div ref={outcomeBox} role="status" className={classes.outcome}>
        {outcome === 'ok' ? (
          <Alert color="green" variant="light" p="xs" icon={<IconCircleCheck aria-hidden />} title={t('test.ok')} />
        ) : null}
        {outcome instanceof ApiError ? (
          <Alert color="red" variant="light" p="xs" icon={<IconAlertTriangle aria-hidden />} title={t('test.failed')}>
            <span className={classes.words}>
              {[...new Set([...describeError(outcome).messages, ...Object.values(errors)])].join('\n')}
            </span>
            {outcome.requestId ? (
              <div className={classes.requestId}>
                <RequestId id={outcome.requestId} />
              </div>
            ) : null}
          </Alert>
        ) : null}
      </div>
    </div>
  );
}
