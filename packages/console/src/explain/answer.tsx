import { Badge, Title } from '@mantine/core';
import { type Explanation, type Verb, verbs } from '@sluice/contract';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useEditorAddress } from '../frame/screen-list.ts';
import { jsonText } from '../list/json-text.ts';
import { serverText, useText } from '../text/index.ts';
import { CopyButton, HeadRow } from '../ui/index.ts';
import { AccessRowTable } from './access-row-table.tsx';
import classes from './explain.module.css';
import type { ExplainSubject } from './question.ts';
import { reasonTexts, recordText } from './sentences.ts';

interface AnswerProps {
  explanation: Explanation;
  /** Whether the call is one of records, which a filter may hide. */
  isRecordAsked: boolean;
  /** Whom the page is about; it does not link to itself. */
  subject: ExplainSubject;
}

/** A decision: the verdict, the way to it, and the same in sentences. */
export function Answer({ explanation, isRecordAsked, subject }: AnswerProps) {
  const t = useText('explain');
  const { allowed, refusal, call } = explanation;
  const reasons = reasonTexts(explanation);
  const verdict = allowed ? t('allowed') : t('refused', { status: refusal?.status ?? '' });
  const callLine = `${call.verb} /api/v2/${call.service}${call.component === '' ? '' : `/${call.component}`}`;
  const copyText = [callLine, refusal ? `${verdict}: ${serverText(refusal.message)}` : verdict, ...reasons].join('\n');
  return (
    <>
      <div className={classes.verdict} data-allowed={allowed} role="status">
        <span className={classes.verdictIcon}>{allowed ? <IconCheck aria-hidden /> : <IconX aria-hidden />}</span>
        <div className={classes.verdictWords}>
          <strong className={classes.verdictTitle}>{verdict}</strong>
          {refusal ? <p className={classes.refusal}>{serverText(refusal.message)}</p> : null}
          <code className={classes.call}>{callLine}</code>
        </div>
      </div>
      <Title order={3} className={classes.heading}>
        {t('chain')}
      </Title>
      <Chain explanation={explanation} isRecordAsked={isRecordAsked} subject={subject} />
      <HeadRow actions={<CopyButton value={copyText} label={t('copyReasons')} />}>
        <Title order={3} className={classes.heading}>
          {t('reasons')}
        </Title>
      </HeadRow>
      <ol className={classes.reasons}>
        {reasons.map((reason, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences of one answer, in their order
          <li key={index}>{reason}</li>
        ))}
      </ol>
    </>
  );
}

function Chain({ explanation, isRecordAsked, subject }: AnswerProps) {
  const t = useText('explain');
  const editorAddress = useEditorAddress();
  const { caller, call, decided_by: decidedBy, verb_mask, rows, filter, record, allowed } = explanation;
  const needsRole = decidedBy !== 'administrator' && decidedBy !== 'exception';
  const grantedVerbs = verbs.filter((verb) => explanation.verbs.includes(verb));
  return (
    <ol className={classes.chain}>
      <Step title={t('who.title')} isWrong={caller.user?.is_active === false}>
        {caller.user ? (
          <RecordName
            {...caller.user}
            to={subject.user_id === caller.user.id ? null : editorAddress('user', caller.user.id)}
            note={caller.user.email}
          />
        ) : (
          <span>{t(`who.${caller.kind === 'user' ? 'nobody' : caller.kind}`)}</span>
        )}
        {caller.user && caller.kind === 'administrator' ? <Badge>{t('who.administrator')}</Badge> : null}
      </Step>
      {caller.kind === 'role' ? null : (
        <Step title={t('appStep.title')} isWrong={caller.app?.is_active === false}>
          {caller.app ? (
            <RecordName
              {...caller.app}
              to={subject.app_id === caller.app.id ? null : editorAddress('app', caller.app.id)}
            />
          ) : (
            <SoftText>{t('appStep.none')}</SoftText>
          )}
        </Step>
      )}
      <Step title={t('role.title')} isWrong={needsRole && caller.role?.is_active !== true}>
        {caller.role ? (
          <RecordName
            {...caller.role}
            to={subject.role_id === caller.role.id ? null : editorAddress('role', caller.role.id)}
            note={caller.role_from && caller.kind !== 'role' ? t(`role.${caller.role_from}`) : undefined}
          />
        ) : (
          <SoftText>{needsRole ? t('role.none') : t('role.notNeeded')}</SoftText>
        )}
      </Step>
      <Step
        title={t('decidedBy.title')}
        isWrong={
          decidedBy === 'none' ||
          decidedBy === 'refused' ||
          call.service_id === null ||
          call.service_is_active === false
        }
      >
        <div className={classes.stack}>
          <span>{t(`decidedBy.${decidedBy}`)}</span>
          {call.service_id === null ? <Problem>{t('unknownService')}</Problem> : null}
          {call.service_is_active === false ? <Problem>{t('inactiveService')}</Problem> : null}
          {rows.length > 0 ? <AccessRowTable rows={rows} /> : null}
        </div>
      </Step>
      <Step title={t('verbs.title')} isWrong={!allowed && verb_mask > 0 && !grantedVerbs.includes(call.verb)}>
        <ul className={classes.verbs} aria-label={t('verbs.title')}>
          {verbs.map((verb) => (
            <VerbMark key={verb} verb={verb} isGranted={grantedVerbs.includes(verb)} isRequested={verb === call.verb} />
          ))}
        </ul>
      </Step>
      {filter || (isRecordAsked && allowed) ? (
        <Step title={t('filter.title')}>
          {filter ? <Filter filter={filter} /> : <SoftText>{t('filter.none')}</SoftText>}
        </Step>
      ) : null}
      {record ? (
        <Step title={t('recordStep.title')} isWrong={!record.passes}>
          <div className={classes.stack}>
            <strong>{t(record.passes ? 'recordStep.passes' : 'recordStep.fails')}</strong>
            <span>{recordText(record)}</span>
          </div>
        </Step>
      ) : null}
    </ol>
  );
}

/** One station of the way; a wrong one is where it stopped, or would have. */
function Step({ title, isWrong, children }: { title: string; isWrong?: boolean; children: ReactNode }) {
  return (
    <li className={classes.step} data-wrong={isWrong || undefined}>
      <span className={classes.stepTitle}>{title}</span>
      <div className={classes.stepBody}>{children}</div>
    </li>
  );
}

const SoftText = ({ children }: { children: ReactNode }) => <span className={classes.soft}>{children}</span>;
const Problem = ({ children }: { children: ReactNode }) => <span className={classes.problem}>{children}</span>;

interface RecordNameProps {
  name: string;
  is_active: boolean;
  /** Its editor; null where one is there already. */
  to: string | null;
  note?: string | undefined;
}

function RecordName({ name, is_active, to, note }: RecordNameProps) {
  const t = useText('explain');
  return (
    <span className={classes.named}>
      {to ? (
        <Link to={to} className={classes.link}>
          {name}
        </Link>
      ) : (
        <span className={classes.name}>{name}</span>
      )}
      {note ? <SoftText>{note}</SoftText> : null}
      {is_active ? null : <Badge color="red">{t('inactive')}</Badge>}
    </span>
  );
}

/** A verb, granted or not; by a sign, not by colour alone. */
function VerbMark({ verb, isGranted, isRequested }: { verb: Verb; isGranted: boolean; isRequested: boolean }) {
  const t = useText('explain');
  return (
    <li className={classes.verbMark} data-granted={isGranted} data-requested={isRequested || undefined}>
      {isGranted ? <IconCheck aria-hidden /> : <IconX aria-hidden />}
      <span aria-hidden>{verb}</span>
      <span className={classes.unseen}>{t(isGranted ? 'verbs.granted' : 'verbs.missing', { verb })}</span>
    </li>
  );
}

/** The conditions as stored and with their lookups filled in. */
function Filter({ filter }: { filter: NonNullable<Explanation['filter']> }) {
  const t = useText('explain');
  return (
    <div className={classes.stack}>
      <span>
        <code className={classes.code}>{filter.text}</code>{' '}
        <SoftText>{t('filter.fromRow', { number: filter.row_number })}</SoftText>
      </span>
      <table className={classes.table} aria-label={t('filter.title')}>
        <thead>
          <tr>
            {(['field', 'operator', 'stored', 'filled'] as const).map((head) => (
              <th key={head} scope="col">
                {t(`filter.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filter.conditions.map((condition, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions of one answer, in their order
            <tr key={index}>
              <td data-label={t('filter.field')}>
                <code>{condition.name}</code>
              </td>
              <td data-label={t('filter.operator')}>
                {index > 0 ? <SoftText>{filter.filter_op} </SoftText> : null}
                {condition.operator}
              </td>
              <td data-label={t('filter.stored')}>
                <code>{jsonText(condition.value)}</code>
              </td>
              <td
                data-label={t('filter.filled')}
                data-changed={jsonText(condition.value) !== jsonText(condition.filled) || undefined}
              >
                <code>{jsonText(condition.filled)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
