// Saved views: one is chosen, what is shown now is saved, and each can be renamed, saved anew and deleted.
import { ActionIcon, Button, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import { confirm, notify } from '../../../../ui/index.ts';
import classes from '../../look/look.module.css';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import viewClasses from './view-menu.module.css';
import { longestName, mostViews, placeOf, placeText, useViews, type View, viewShown } from './views.ts';

export function ViewMenu({ state, columns }: { state: TableState; columns: Columns }) {
  const t = useText('data');
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [renamed, setRenamed] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const kept = useViews(state.service, state.table);
  const { views } = kept;
  const place = placeText(state.gridState);
  const current = viewShown(views, place, columns.layout);
  const names = new Set(views.map(({ name }) => name));

  const choose = async (view: View) => {
    setOpen(false);
    if (await state.applyView(placeOf(view))) columns.applyLayout(view.columns);
  };
  /** The menu stays open beneath a question. */
  const asked = async (question: Parameters<typeof confirm>[0]): Promise<boolean> => {
    setAsking(true);
    const answer = await confirm(question);
    setAsking(false);
    return answer;
  };
  const mayReplace = (name: string) =>
    !names.has(name) || asked({ message: t('views.replaceAsk', { view: name }), confirmLabel: t('views.replace') });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim();
    if (name === '' || !(await mayReplace(name))) return;
    if (!names.has(name) && views.length >= mostViews) {
      return notify.error(t('title'), t('views.most', { count: mostViews }));
    }
    kept.save({ name, place, columns: columns.layout });
    setTyped('');
  };
  const remove = async ({ name }: View) => {
    const message = t('views.removeAsk', { view: name });
    if (await asked({ message, impact: t('views.removeImpact'), danger: true })) kept.remove(name);
  };
  const rename = async (from: string, to: string) => {
    if (to !== '' && to !== from && !(await mayReplace(to))) return;
    if (to !== '') kept.rename(from, to);
    setRenamed(null);
  };

  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      closeOnClickOutside={!isAsking}
      position="bottom-start"
      trapFocus
      returnFocus
      width={320}
      withRoles
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <Button
          variant={current ? 'light' : 'default'}
          size="xs"
          className={viewClasses.button!}
          leftSection={<IconBookmark className={classes.smallIcon} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {current?.name ?? t('views.button')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.button')} className={viewClasses.menu!}>
        {views.length === 0 ? (
          <Text size="sm" className={classes.soft}>
            {t('views.none')}
          </Text>
        ) : (
          <ul className={viewClasses.views}>
            {views.map((view) => (
              <li key={view.name}>
                {renamed === view.name ? (
                  <Renaming name={view.name} onDone={(name) => void rename(view.name, name)} />
                ) : (
                  <>
                    <button
                      type="button"
                      className={viewClasses.view}
                      aria-current={view === current || undefined}
                      title={placeOf(view).filters.join(' · ')}
                      onClick={() => void choose(view)}
                    >
                      {view.name}
                    </button>
                    <ActionIcon
                      size="sm"
                      aria-label={t('views.rename', { view: view.name })}
                      onClick={() => setRenamed(view.name)}
                    >
                      <IconPencil className={classes.smallIcon} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      size="sm"
                      aria-label={t('views.remove', { view: view.name })}
                      onClick={() => void remove(view)}
                    >
                      <IconTrash className={classes.smallIcon} aria-hidden />
                    </ActionIcon>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        <form className={viewClasses.saving} onSubmit={(event) => void save(event)}>
          <TextInput
            aria-label={t('views.name')}
            placeholder={t('views.name')}
            value={typed}
            maxLength={longestName}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" size="xs" disabled={typed.trim() === ''}>
            {t('views.save')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The name of a view while it is changed; left empty it stays. */
function Renaming({ name, onDone }: { name: string; onDone: (name: string) => void }) {
  const t = useText('data');
  const [typed, setTyped] = useState(name);
  return (
    <form
      className={viewClasses.form}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(typed.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone('');
      }}
    >
      <TextInput
        aria-label={t('views.renameTo', { view: name })}
        value={typed}
        maxLength={longestName}
        onChange={(event) => setTyped(event.currentTarget.value)}
        ref={(input) => input?.focus()}
        autoComplete="off"
      />
      <Button type="submit" size="xs" variant="default">
        {t('views.renameNow')}
      </Button>
    </form>
  );
}
