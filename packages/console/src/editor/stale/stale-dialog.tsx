import { Badge, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../text/index.ts';
import { DateText, HeadRow } from '../../ui/index.ts';
import type { WordsOf } from '../source.ts';
import type { Meeting, ShownDifference } from './meeting.ts';
import classes from './stale.module.css';
import type { Choice } from './stale.ts';
import { ValueWords } from './value-words.tsx';

interface StaleDialogProps {
  meeting: Meeting;
  /** What the record is called. */
  name: string;
  isSaving: boolean;
  wordsOf: WordsOf | undefined;
  /** Saves with what was chosen, by field. */
  onSettle: (choices: Record<string, Choice>) => void;
  onDelete: () => void;
  onAnew: () => void;
  /** Leaves the record to what they made of it. */
  onLeave: () => void;
  onClose: () => void;
}

/** Someone else was first: what differs, and what is to come of it. Closing it leaves everything as it was typed. */
export function StaleDialog(props: StaleDialogProps) {
  const t = useText('editor');
  const { meeting, onClose } = props;
  const kind = meeting.theirs === null ? 'gone' : meeting.act;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`stale.title.${kind}`)}
      size={kind === 'gone' ? 'md' : '60rem'}
      closeButtonProps={{ 'aria-label': t('stale.back') }}
    >
      {kind === 'gone' ? <Gone {...props} /> : kind === 'delete' ? <Deleting {...props} /> : <Saving {...props} />}
    </Modal>
  );
}

/** Nothing is there to save on: it can be made anew. */
function Gone({ name, isSaving, onAnew, onLeave, onClose }: StaleDialogProps) {
  const t = useText('editor');
  return (
    <Stack gap="md">
      <Text>{t('stale.gone', { name })}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={isSaving} onClick={onLeave}>
          {t('stale.leave')}
        </Button>
        <Button variant="default" disabled={isSaving} onClick={onClose}>
          {t('stale.back')}
        </Button>
        <Button loading={isSaving} onClick={onAnew} data-autofocus>
          {t('stale.anew')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What would be deleted is not what was seen. */
function Deleting({ meeting, name, isSaving, wordsOf, onDelete, onClose }: StaleDialogProps) {
  const t = useText('editor');
  const theirs = meeting.found.filter(({ by }) => by !== 'me');
  return (
    <Stack gap="md">
      <Intro meeting={meeting} text={t('stale.deleteIntro', { name })} />
      {theirs.map((difference) => (
        <OneSided key={difference.field} difference={difference} by="them" wordsOf={wordsOf} />
      ))}
      <Group justify="flex-end" gap="xs" className={classes.foot ?? ''}>
        <Button variant="default" disabled={isSaving} onClick={onClose} data-autofocus>
          {t('stale.keep')}
        </Button>
        <Button color="red" loading={isSaving} onClick={onDelete}>
          {t('stale.deleteAnyway')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Field by field: as it was, mine, theirs; what only one side changed needs no choice. */
function Saving({ meeting, name, isSaving, wordsOf, onSettle, onClose }: StaleDialogProps) {
  const t = useText('editor');
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const open = meeting.found.filter(({ by }) => by === 'both');
  const settled = meeting.found.filter(({ by }) => by !== 'both');
  const left = open.filter(({ field }) => choices[field] === undefined).length;
  const all = (choice: Choice) => setChoices(Object.fromEntries(open.map(({ field }) => [field, choice])));

  return (
    <Stack gap="md">
      <Intro meeting={meeting} text={t(open.length > 0 ? 'stale.intro' : 'stale.introMerged', { name })} />
      {open.length > 0 ? (
        <section className={classes.group} aria-label={t('stale.open')}>
          <HeadRow
            actions={
              open.length > 1 ? (
                <>
                  <Button size="xs" variant="default" onClick={() => all('mine')}>
                    {t('stale.allMine')}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => all('theirs')}>
                    {t('stale.allTheirs')}
                  </Button>
                </>
              ) : null
            }
          >
            <h3 className={classes.heading}>{t('stale.open')}</h3>
          </HeadRow>
          {open.map((difference) => (
            <Conflict
              key={difference.field}
              difference={difference}
              wordsOf={wordsOf}
              choice={choices[difference.field]}
              onChoose={(choice) => setChoices((now) => ({ ...now, [difference.field]: choice }))}
            />
          ))}
        </section>
      ) : null}
      {settled.length > 0 ? (
        <section className={classes.group} aria-label={t('stale.settled')}>
          <h3 className={classes.heading}>{t('stale.settled')}</h3>
          {settled.map((difference) => (
            <OneSided
              key={difference.field}
              difference={difference}
              by={difference.by === 'me' ? 'me' : 'them'}
              wordsOf={wordsOf}
            />
          ))}
        </section>
      ) : null}
      <Group justify="flex-end" gap="xs" className={classes.foot ?? ''}>
        <Text size="sm" className={classes.left} role="status">
          {left > 0 ? t('stale.left', { count: left }) : ''}
        </Text>
        <Button variant="default" disabled={isSaving} onClick={onClose}>
          {t('stale.back')}
        </Button>
        <Button disabled={left > 0} loading={isSaving} onClick={() => onSettle(choices)}>
          {t('stale.save')}
        </Button>
      </Group>
    </Stack>
  );
}

function Intro({ meeting, text }: { meeting: Meeting; text: string }) {
  const t = useText('editor');
  const when = meeting.theirs?.last_modified_date;
  return (
    <Text>
      {text}
      {typeof when === 'string' ? (
        <>
          {' '}
          {t('stale.when')} <DateText value={when} />.
        </>
      ) : null}
    </Text>
  );
}

interface ConflictProps {
  difference: ShownDifference;
  wordsOf: WordsOf | undefined;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

function Conflict({ difference, wordsOf, choice, onChoose }: ConflictProps) {
  const t = useText('editor');
  const { field, label, was, shownMine, theirs } = difference;
  const side = (which: Choice, value: unknown) => (
    <div className={classes.side} data-chosen={choice === which || undefined}>
      <Radio
        name={`stale.${field}`}
        value={which}
        label={t(`stale.${which}`)}
        checked={choice === which}
        onChange={() => onChoose(which)}
      />
      <ValueWords field={field} value={value} was={was} wordsOf={wordsOf} />
    </div>
  );
  return (
    <fieldset className={classes.field}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.side} data-was>
        <span className={classes.sideHead}>{t('stale.was')}</span>
        <ValueWords field={field} value={was} wordsOf={wordsOf} />
      </div>
      {side('mine', shownMine)}
      {side('theirs', theirs)}
    </fieldset>
  );
}

interface OneSidedProps {
  difference: ShownDifference;
  by: 'me' | 'them';
  wordsOf: WordsOf | undefined;
}

function OneSided({ difference, by, wordsOf }: OneSidedProps) {
  const t = useText('editor');
  const { field, label, was, shownMine, theirs } = difference;
  return (
    <div className={classes.field} data-settled>
      <div className={classes.label}>
        {label} <Badge color={by === 'me' ? 'water' : 'gray'}>{t(`stale.by.${by}`)}</Badge>
      </div>
      <div className={classes.side} data-was>
        <span className={classes.sideHead}>{t('stale.was')}</span>
        <ValueWords field={field} value={was} wordsOf={wordsOf} />
      </div>
      <div className={classes.side}>
        <span className={classes.sideHead}>{t('stale.now')}</span>
        <ValueWords field={field} value={by === 'me' ? shownMine : theirs} was={was} wordsOf={wordsOf} />
      </div>
    </div>
  );
}
