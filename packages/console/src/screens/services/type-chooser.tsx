import { Badge, Button, Text, Title, UnstyledButton } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { groupText, useText } from '../../text/index.ts';
import { SearchInput, ServiceTypeIcon } from '../../ui/index.ts';
import classes from './services.module.css';
import { chooserGroups, columnsOf, filterGroups, maxTypesOfColumn, type OfferedType } from './types.ts';

interface TypeChooserProps {
  types: readonly OfferedType[];
  /** Name of the type chosen, or empty. */
  chosen: string;
  onChoose: (type: OfferedType) => void;
}

/** All types one may create, by group; typing narrows them down, the arrows move between them (OPEN-138, SVC-054). */
export function TypeChooser({ types, chosen, onChoose }: TypeChooserProps) {
  const t = useText('services');
  const [searchText, setSearchText] = useState('');
  const chooserRef = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => filterGroups(chooserGroups(types), searchText), [types, searchText]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons inside
    <div ref={chooserRef} className={classes.chooser} onKeyDown={(event) => moveFocus(event, chooserRef.current)}>
      <SearchInput
        className={classes.find ?? ''}
        label={t('info.search')}
        value={searchText}
        onChange={setSearchText}
      />
      {groups.length === 0 ? (
        <Text c="var(--s-text-soft)" role="status">
          {t('info.noType', { text: searchText })}
        </Text>
      ) : null}
      <div className={classes.groups}>
        {groups.map((group) => (
          <section
            key={group.name}
            className={classes.group}
            data-wide={group.types.length > maxTypesOfColumn || undefined}
          >
            <Title order={3}>{groupText(group.name)}</Title>
            <div className={classes.columns}>
              {columnsOf(group.types).map((column) => (
                <div key={column[0]?.name} className={classes.column}>
                  {column.map((type) => (
                    <UnstyledButton
                      key={type.name}
                      className={classes.type ?? ''}
                      data-unavailable={!type.available || undefined}
                      aria-pressed={type.name === chosen}
                      onClick={() => onChoose(type)}
                    >
                      <span className={classes.typeName}>
                        <ServiceTypeIcon type={type.name} group={type.group} />
                        <span className={classes.typeLabel}>{type.label}</span>
                        {type.name === chosen ? <IconCheck size="1em" aria-hidden /> : null}
                        <HindranceBadge type={type} />
                      </span>
                      {type.description ? <span className={classes.typeText}>{type.description}</span> : null}
                    </UnstyledButton>
                  ))}
                </div>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

/** Why a type cannot be had, in a word. */
export function HindranceBadge({ type }: { type: OfferedType }) {
  const t = useText('services');
  if (type.hindrance === 'missing') return <Badge color="gray">{t('missing.badge')}</Badge>;
  if (type.hindrance !== 'locked') return null;
  return (
    <Badge color="gray" leftSection={<IconLock size="0.9em" aria-hidden />}>
      {type.subscription_required}
    </Badge>
  );
}

interface ChosenTypeProps {
  /** The type's name and group, for its picture. */
  name: string;
  group: string | undefined;
  label: string;
  description: string;
  /** Absent when the type is settled. */
  onChange: (() => void) | undefined;
}

/** The type of a service, and for a new one the way back to the others. */
export function ChosenType({ name, group, label, description, onChange }: ChosenTypeProps) {
  const t = useText('services');
  return (
    <div className={classes.chosen}>
      <ServiceTypeIcon type={name} group={group} size="large" />
      <div className={classes.typeLabel}>
        <Text fw={500}>{label}</Text>
        {description ? (
          <Text size="sm" c="var(--s-text-soft)">
            {description}
          </Text>
        ) : null}
      </div>
      {onChange ? (
        <Button variant="default" size="xs" onClick={onChange}>
          {t('info.changeType')}
        </Button>
      ) : null}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, chooser: HTMLElement | null) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [...(chooser?.querySelectorAll<HTMLElement>('input, button[aria-pressed]') ?? [])];
  const index = stops.indexOf(event.target as HTMLElement);
  if (index < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, index + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
}
