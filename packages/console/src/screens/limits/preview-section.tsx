import { ApiError } from '../../api/index.ts';
import { Section, useEditor } from '../../editor/index.ts';
import { formatMoment, formatNumber, useText } from '../../text/index.ts';
import { describeError, FailedLine } from '../../ui/index.ts';
import classes from './limits.module.css';
import { firstProblem, type LimitForm, toRecord } from './record.ts';
import { useChoices, usePreview, useUserNames } from './sources.ts';

/** So many callers are named, those refused most often first. */
const maxCallers = 5;

/** What the limit in the form would have refused lately; nothing on a server that cannot say. */
export function PreviewSection() {
  const t = useText('limits');
  const { form } = useEditor<LimitForm>();
  const isComplete = firstProblem(form.values) === undefined;
  const { id: _id, ...limit } = toRecord(form.values);
  const { data, error, refetch } = usePreview(isComplete ? limit : null);
  const refused = (data?.callers ?? []).filter((caller) => caller.refused > 0).slice(0, maxCallers);
  const names = useUserNames(refused.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])));
  const { choices: roles } = useChoices('role');
  if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null;
  const whoIs = ({ user_id, role_id }: (typeof refused)[number]) =>
    [
      user_id === null ? t('preview.nobody') : (names.get(user_id) ?? `#${user_id}`),
      roles.find((role) => role.id === role_id)?.name,
    ]
      .filter(Boolean)
      .join(', ');
  const since = data ? formatMoment(new Date(data.since)) : '';
  return (
    <Section title={t('preview.title')} text={t('preview.hint')}>
      {isComplete ? null : <p className={classes.soft}>{t('preview.incomplete')}</p>}
      {isComplete && error ? (
        <FailedLine onRetry={() => void refetch()}>
          {t('preview.failed', { reason: describeError(error).messages.join(' ') })}
        </FailedLine>
      ) : null}
      {isComplete && !error && data ? (
        <div role="status">
          {data.calls === 0
            ? t('preview.none', { since })
            : t('preview.result', {
                ...{ since, count: data.calls, calls: formatNumber(data.calls) },
                refused: formatNumber(data.refused),
              })}
          {refused.length > 0 ? (
            <ul className={classes.previewList}>
              {refused.map((caller) => (
                <li key={`${caller.user_id} ${caller.role_id}`}>
                  {t('preview.caller', {
                    who: whoIs(caller),
                    refused: formatNumber(caller.refused),
                    calls: formatNumber(caller.calls),
                  })}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
    </Section>
  );
}
