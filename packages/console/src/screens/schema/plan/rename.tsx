import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { describeError, notify, Waiting } from '../../../ui/index.ts';
import { refreshService, schemaPath, tableQuery, useTable, useTables } from '../address/sources.ts';
import { type SchemaWrite, sendWrite } from '../address/write.ts';
import classes from './plan.module.css';
import { PlanPanel } from './plan-panel.tsx';

interface RenameProps {
  service: string;
  table: string;
  field?: string;
  /** Why it cannot be renamed now. */
  refusal?: string | undefined;
  onRenamed: (name: string) => void;
}

/** For administrators: a button that opens a dialog to rename a table, or its `field`, with what the new name takes along. */
export function RenameButton(props: RenameProps) {
  const t = useText('schema');
  const common = useText('common');
  const [isOpen, setOpen] = useState(false);
  const isAdmin = useSession()?.is_sys_admin === true;
  if (!isAdmin) return null;
  const name = props.field ?? props.table;
  return (
    <>
      <Button
        variant="default"
        px="sm"
        disabled={props.refusal !== undefined}
        title={props.refusal}
        onClick={() => setOpen(true)}
      >
        {t('plan.rename')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t(props.field === undefined ? 'plan.renameTable' : 'plan.renameField', { name })}
        closeButtonProps={{ 'aria-label': common('close') }}
        size="lg"
        classNames={{ title: classes.title! }}
      >
        <RenameForm {...props} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RenameForm({ service, table, field, onRenamed, onClose }: RenameProps & { onClose: () => void }) {
  const t = useText('schema');
  const client = useQueryClient();
  const oldName = field ?? table;
  const [newName, setNewName] = useState(oldName);
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { names, alias } = useNamesBeside({ service, table, field });
  const problem = nameProblem(newName, oldName, names);
  const write = useMemo(
    (): SchemaWrite | null =>
      problem === null ? renameWrite({ table, ...(field === undefined ? {} : { field }) }, newName.trim()) : null,
    [problem, table, field, newName],
  );

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The dialog is a child of the form of a table or a field.
    event.stopPropagation();
    setChecked(true);
    if (!write) return;
    setSending(true);
    setError(null);
    try {
      await sendWrite(service, write);
    } catch (failure) {
      setSending(false);
      return setError(failure);
    }
    const name = newName.trim();
    onClose();
    notify.success(t('plan.renamed', { from: oldName, to: name }));
    onRenamed(name);
    if (field === undefined) client.removeQueries({ queryKey: tableQuery(service, table).queryKey });
    await refreshService(client, service);
  };

  return (
    <Waiting isWaiting={isSending}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t('plan.newName')}
            value={newName}
            autoComplete="off"
            spellCheck={false}
            error={(isChecked || problem === 'taken') && problem ? t(`plan.nameProblems.${problem}`) : null}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => {
              setNewName(event.currentTarget.value);
              setError(null);
            }}
          />
          <Text size="sm" c="var(--s-text-soft)">
            {alias === null ? t('plan.callers', { name: oldName }) : t('plan.callersByAlias', { alias })}
          </Text>
          <PlanPanel service={service} write={write} startsOpen />
          {error === null ? null : (
            <div role="alert">
              {describeError(error).messages.map((message) => (
                <Text key={message} size="sm" c="var(--s-danger)">
                  {message}
                </Text>
              ))}
            </div>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit">{t('plan.rename')}</Button>
          </Group>
        </Stack>
      </form>
    </Waiting>
  );
}

/** The names the new one must not be, and what the API calls the table or field instead of its name. */
function useNamesBeside({ service, table, field }: { service: string; table: string; field: string | undefined }) {
  const tables = useTables(service).data ?? [];
  const described = useTable(service, table).data;
  if (field === undefined) return { names: tables.map(({ name }) => name), alias: described?.alias || null };
  const fields = described?.field ?? [];
  return {
    names: fields.map(({ name }) => name),
    alias: fields.find(({ name }) => name === field)?.alias || null,
  };
}

/** What is wrong with a new name; null when it may be sent. Letter case does not part names. */
export function nameProblem(
  newName: string,
  oldName: string,
  names: readonly string[],
): 'empty' | 'same' | 'taken' | null {
  const name = newName.trim();
  if (name === '') return 'empty';
  if (name === oldName) return 'same';
  const isTaken = names.some((other) => other !== oldName && other.toLowerCase() === name.toLowerCase());
  return isTaken ? 'taken' : null;
}

const renameWrite = ({ table, field }: { table: string; field?: string }, newName: string): SchemaWrite => ({
  verb: 'PATCH',
  path: field === undefined ? schemaPath(table) : schemaPath(table, '_field', field),
  body: { new_name: newName },
});
