import { ActionIcon, Badge, Button } from '@mantine/core';
import { type JobRecord, type JobState, jobStates } from '@sluice/contract';
import { IconCalendarRepeat, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type ListController, Tick } from '../../list/index.ts';
import { serverText, useText } from '../../text/index.ts';
import { DateText, IdText } from '../../ui/index.ts';
import { isChangeable, isRemovable, readSchedule } from './job-state.ts';
import classes from './jobs.module.css';
import type { JobActions } from './use-job-actions.ts';

interface JobRowProps {
  job: JobRecord;
  index: number;
  list: ListController;
  actions: JobActions;
}

/** A job. Nothing opens, so that arrows go to its name. */
export function JobRow({ job, index, list, actions }: JobRowProps) {
  const t = useText('jobs');
  const tList = useText('list');
  const { id, attempts, schedule, subject, run_at, created_date, error } = job;
  const isTicked = list.selection.ids.has(id);
  const name = t('nameOf', { name: job.name, id });
  const refusal = actions.refused.get(id);
  // What has not been tried yet is begun.
  const isFirst = job.state === 'waiting' && attempts === 0;
  return (
    <tr className={classes.row} data-row={index} data-chosen={isTicked || undefined}>
      <td data-column="tick">
        {isChangeable(job) ? (
          <Tick
            label={tList('selectRow', { name })}
            isTicked={isTicked}
            onChange={(event) => list.tick(id, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
          />
        ) : null}
      </td>
      <td data-column="job">
        <span className={classes.name} tabIndex={-1} data-row-link>
          {job.name} <IdText>{`#${id}`}</IdText>
        </span>
        {subject ? <span className={classes.subject}>{subject}</span> : null}
        {schedule === null ? null : <ScheduleText cron={schedule} />}
      </td>
      <td data-column="state">
        <StateBadge state={job.state} />
      </td>
      <td data-column="due" data-label={t('columns.due')}>
        <DateText value={run_at} />
        <span className={classes.added}>
          {t('added')} <DateText value={created_date} />
        </span>
      </td>
      <td data-column="tries" data-label={t('columns.tries')}>
        {attempts === 0 ? t('notYet') : t('tries', { count: attempts })}
      </td>
      <td data-column="reason">
        {error ? <Reason text={serverText(error)} /> : null}
        {refusal ? <span className={classes.refusal}>{refusal}</span> : null}
      </td>
      <td data-column="actions">
        {isChangeable(job) ? (
          <span className={classes.actions}>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconRefresh className={classes.icon} aria-hidden />}
              aria-label={t(isFirst ? 'beginJob' : 'tryJobAgain', { name })}
              onClick={() => void actions.tryAgain([job])}
            >
              {t(isFirst ? 'begin' : 'tryAgain')}
            </Button>
            {isRemovable(job) ? (
              <ActionIcon
                aria-label={t('removeJob', { name })}
                title={t('remove')}
                onClick={() => void actions.remove([job])}
              >
                <IconTrash className={classes.icon} aria-hidden />
              </ActionIcon>
            ) : null}
          </span>
        ) : null}
      </td>
    </tr>
  );
}

const tones: Record<JobState, string> = { failed: 'red', waiting: 'gray', running: 'water' };

function StateBadge({ state }: { state: string | null }) {
  const t = useText('jobs');
  const known = jobStates.find((name) => name === state);
  return <Badge color={known ? tones[known] : 'gray'}>{known ? t(`states.${known}`) : state}</Badge>;
}

/** When work with a schedule is done, in words where they are few. */
function ScheduleText({ cron }: { cron: string }) {
  const t = useText('jobs');
  const schedule = readSchedule(cron);
  return (
    <span className={classes.schedule} title={cron}>
      <IconCalendarRepeat className={classes.smallIcon} aria-hidden />
      {schedule.kind === 'other' ? (
        <span>
          {t('schedule.other')} <code>{cron}</code>
        </span>
      ) : (
        <span>{t(`schedule.${schedule.kind}`, { ...schedule })}</span>
      )}
    </span>
  );
}

/** Characters of a reason that are shown at once. */
const shortReason = 160;

/** Why the last attempt failed: the beginning of it, and all of it on demand. */
function Reason({ text }: { text: string }) {
  const t = useText('jobs');
  const [isWhole, setWhole] = useState(false);
  const textId = useId();
  const isLong = text.length > shortReason;
  return (
    <>
      <span id={textId} className={classes.reason} data-whole={isWhole || undefined}>
        {text}
      </span>
      {isLong ? (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isWhole}
          aria-controls={textId}
          onClick={() => setWhole(!isWhole)}
        >
          {t(isWhole ? 'less' : 'more')}
        </button>
      ) : null}
    </>
  );
}
