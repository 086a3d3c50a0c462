import { Badge, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../text/index.ts';
import { DateText, HeadRow } from '../../ui/index.ts';
import type { DescribeValue } from '../source.ts';
import classes from './conflict.module.css';
import type { Conflict, ShownDifference } from './conflict.ts';
import type { ConflictChoice } from './differences.ts';
import { ValueText } from './value-text.tsx';

interface ConflictDialogProps {
  conflict: Conflict;
  /** What the record is called. */
  name: string;
  isSaving: boolean;
  describeValue: DescribeValue | undefined;
  /** Saves with what was chosen, by field. */
  onResolve: (choices: Record<string, ConflictChoice>) => void;
  onDelete: () => void;
  onSaveAsNew: () => void;
  /** Leaves the record to what they made of it. */
  onDiscard: () => void;
  onClose: () => void;
}

/** Someone else was first: shows what differs and asks what to keep. Closing it leaves everything as it was typed. */
export function ConflictDialog(props: ConflictDialogProps) {
  const t = useText('editor');
  const { conflict, onClose } = props;
  const kind = conflict.theirs === null ? 'gone' : conflict.action;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`stale.title.${kind}`)}
      size={kind === 'gone' ? 'md' : '60rem'}
      closeButtonProps={{ 'aria-label': t('stale.back') }}
    >
      {kind === 'gone' ? (
        <RecordGone {...props} />
      ) : kind === 'delete' ? (
        <DeleteConflict {...props} />
      ) : (
        <SaveConflict {...props} />
      )}
    </Modal>
  );
}

/** The record is gone: it can be created again. */
function RecordGone({ name, isSaving, onSaveAsNew, onDiscard, onClose }: ConflictDialogProps) {
  const t = useText('editor');
  return (
    <Stack gap="md">
      <Text>{t('stale.gone', { name })}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={isSaving} onClick={onDiscard}>
          {t('stale.leave')}
        </Button>
        <Button variant="default" disabled={isSaving} onClick={onClose}>
          {t('stale.back')}
        </Button>
        <Button loading={isSaving} onClick={onSaveAsNew} data-autofocus>
          {t('stale.recreate')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The record to be deleted is not as it was seen. */
function DeleteConflict({ conflict, name, isSaving, describeValue, onDelete, onClose }: ConflictDialogProps) {
  const t = useText('editor');
  const theirs = conflict.differences.filter(({ changedBy }) => changedBy !== 'me');
  return (
    <Stack gap="md">
      <Intro conflict={conflict} text={t('stale.deleteIntro', { name })} />
      {theirs.map((difference) => (
        <OneSidedChange key={difference.field} difference={difference} side="them" describeValue={describeValue} />
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
function SaveConflict({ conflict, name, isSaving, describeValue, onResolve, onClose }: ConflictDialogProps) {
  const t = useText('editor');
  const [choices, setChoices] = useState<Record<string, ConflictChoice>>({});
  const open = conflict.differences.filter(({ changedBy }) => changedBy === 'both');
  const settled = conflict.differences.filter(({ changedBy }) => changedBy !== 'both');
  const openCount = open.filter(({ field }) => !Object.hasOwn(choices, field)).length;
  const chooseAll = (choice: ConflictChoice) =>
    setChoices(Object.fromEntries(open.map(({ field }) => [field, choice])));

  return (
    <Stack gap="md">
      <Intro conflict={conflict} text={t(open.length > 0 ? 'stale.intro' : 'stale.introMerged', { name })} />
      {open.length > 0 ? (
        <section className={classes.group} aria-label={t('stale.open')}>
          <HeadRow
            actions={
              open.length > 1 ? (
                <>
                  <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
                    {t('stale.allMine')}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
                    {t('stale.allTheirs')}
                  </Button>
                </>
              ) : null
            }
          >
            <h3 className={classes.heading}>{t('stale.open')}</h3>
          </HeadRow>
          {open.map((difference) => (
            <FieldConflict
              key={difference.field}
              difference={difference}
              describeValue={describeValue}
              choice={choices[difference.field]}
              onChoose={(choice) => setChoices((choices) => ({ ...choices, [difference.field]: choice }))}
            />
          ))}
        </section>
      ) : null}
      {settled.length > 0 ? (
        <section className={classes.group} aria-label={t('stale.settled')}>
          <h3 className={classes.heading}>{t('stale.settled')}</h3>
          {settled.map((difference) => (
            <OneSidedChange
              key={difference.field}
              difference={difference}
              side={difference.changedBy === 'me' ? 'me' : 'them'}
              describeValue={describeValue}
            />
          ))}
        </section>
      ) : null}
      <Group justify="flex-end" gap="xs" className={classes.foot ?? ''}>
        <Text size="sm" className={classes.left} role="status">
          {openCount > 0 ? t('stale.left', { count: openCount }) : ''}
        </Text>
        <Button variant="default" disabled={isSaving} onClick={onClose}>
          {t('stale.back')}
        </Button>
        <Button disabled={openCount > 0} loading={isSaving} onClick={() => onResolve(choices)}>
          {t('stale.save')}
        </Button>
      </Group>
    </Stack>
  );
}

function Intro({ conflict, text }: { conflict: Conflict; text: string }) {
  const t = useText('editor');
  const when = conflict.theirs?.last_modified_date;
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

interface FieldConflictProps {
  difference: ShownDifference;
  describeValue: DescribeValue | undefined;
  choice: ConflictChoice | undefined;
  onChoose: (choice: ConflictChoice) => void;
}

function FieldConflict({ difference, describeValue, choice, onChoose }: FieldConflictProps) {
  const t = useText('editor');
  const { field, label, base, shownMine, theirs } = difference;
  const side = (which: ConflictChoice, value: unknown) => (
    <div className={classes.side} data-chosen={choice === which || undefined}>
      <Radio
        name={`stale.${field}`}
        value={which}
        label={t(`stale.${which}`)}
        checked={choice === which}
        onChange={() => onChoose(which)}
      />
      <ValueText field={field} value={value} base={base} describeValue={describeValue} />
    </div>
  );
  return (
    <fieldset className={classes.field}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.side} data-was>
        <span className={classes.sideHead}>{t('stale.was')}</span>
        <ValueText field={field} value={base} describeValue={describeValue} />
      </div>
      {side('mine', shownMine)}
      {side('theirs', theirs)}
    </fieldset>
  );
}

interface OneSidedProps {
  difference: ShownDifference;
  side: 'me' | 'them';
  describeValue: DescribeValue | undefined;
}

function OneSidedChange({ difference, side, describeValue }: OneSidedProps) {
  const t = useText('editor');
  const { field, label, base, shownMine, theirs } = difference;
  return (
    <div className={classes.field} data-settled>
      <div className={classes.label}>
        {label} <Badge color={side === 'me' ? 'water' : 'gray'}>{t(`stale.by.${side}`)}</Badge>
      </div>
      <div className={classes.side} data-was>
        <span className={classes.sideHead}>{t('stale.was')}</span>
        <ValueText field={field} value={base} describeValue={describeValue} />
      </div>
      <div className={classes.side}>
        <span className={classes.sideHead}>{t('stale.now')}</span>
        <ValueText field={field} value={side === 'me' ? shownMine : theirs} base={base} describeValue={describeValue} />
      </div>
    </div>
  );
}
