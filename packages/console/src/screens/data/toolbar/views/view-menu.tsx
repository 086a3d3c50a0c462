// The menu of saved views: applies one, saves the current filters, order and columns as one, renames and deletes them.
import { ActionIcon, Button, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import { confirm, notify } from '../../../../ui/index.ts';
import classes from '../../styles/shared.module.css';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import viewClasses from './view-menu.module.css';
import { findCurrentView, gridStateOf, gridStateText, maxNameLength, maxViews, useViews, type View } from './views.ts';

export function ViewMenu({ state, columns }: { state: TableState; columns: Columns }) {
  const t = useText('data');
  const [isOpen, setOpen] = useState(false);
  const [newName, setNewName] = useState('');
  const [renamedView, setRenamedView] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const savedViews = useViews(state.service, state.table);
  const { views } = savedViews;
  const stateText = gridStateText(state.gridState);
  const current = findCurrentView(views, stateText, columns.layout);
  const names = new Set(views.map(({ name }) => name));

  const applyView = async (view: View) => {
    setOpen(false);
    if (await state.applyView(gridStateOf(view))) columns.applyLayout(view.columns);
  };
  /** Asks while the menu stays open below the question. */
  const confirmInMenu = async (question: Parameters<typeof confirm>[0]): Promise<boolean> => {
    setAsking(true);
    const answer = await confirm(question);
    setAsking(false);
    return answer;
  };
  const confirmReplace = (name: string) =>
    !names.has(name) ||
    confirmInMenu({ message: t('views.replaceAsk', { view: name }), confirmLabel: t('views.replace'), danger: true });
  const saveView = async (event: FormEvent) => {
    event.preventDefault();
    const name = newName.trim();
    if (name === '' || !(await confirmReplace(name))) return;
    if (!names.has(name) && views.length >= maxViews) {
      return notify.error(t('title'), t('views.most', { count: maxViews }));
    }
    savedViews.save({ name, place: stateText, columns: columns.layout });
    setNewName('');
  };
  const removeView = async ({ name }: View) => {
    const message = t('views.removeAsk', { view: name });
    if (await confirmInMenu({ message, impact: t('views.removeImpact'), danger: true })) savedViews.remove(name);
  };
  const rename = async (from: string, to: string) => {
    if (to !== '' && to !== from && !(await confirmReplace(to))) return;
    if (to !== '') savedViews.rename(from, to);
    setRenamedView(null);
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
                {renamedView === view.name ? (
                  <RenameForm name={view.name} onDone={(name) => void rename(view.name, name)} />
                ) : (
                  <>
                    <button
                      type="button"
                      className={viewClasses.view}
                      aria-current={view === current || undefined}
                      title={gridStateOf(view).filters.join(' · ')}
                      onClick={() => void applyView(view)}
                    >
                      {view.name}
                    </button>
                    <ActionIcon
                      size="sm"
                      aria-label={t('views.rename', { view: view.name })}
                      onClick={() => setRenamedView(view.name)}
                    >
                      <IconPencil className={classes.smallIcon} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      size="sm"
                      aria-label={t('views.remove', { view: view.name })}
                      onClick={() => void removeView(view)}
                    >
                      <IconTrash className={classes.smallIcon} aria-hidden />
                    </ActionIcon>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        <form className={viewClasses.saving} onSubmit={(event) => void saveView(event)}>
          <TextInput
            aria-label={t('views.name')}
            placeholder={t('views.name')}
            value={newName}
            maxLength={maxNameLength}
            onChange={(event) => setNewName(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" size="xs" disabled={newName.trim() === ''}>
            {t('views.save')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Renames a view; an empty name leaves it as it is. */
function RenameForm({ name, onDone }: { name: string; onDone: (name: string) => void }) {
  const t = useText('data');
  const [newName, setNewName] = useState(name);
  return (
    <form
      className={viewClasses.form}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(newName.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone('');
      }}
    >
      <TextInput
        aria-label={t('views.renameTo', { view: name })}
        value={newName}
        maxLength={maxNameLength}
        onChange={(event) => setNewName(event.currentTarget.value)}
        ref={(input) => input?.focus()}
        autoComplete="off"
      />
      <Button type="submit" size="xs" variant="default">
        {t('views.renameNow')}
      </Button>
    </form>
  );
}
