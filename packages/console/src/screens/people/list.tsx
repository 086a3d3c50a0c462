import { Badge } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSession } from '../../api/index.ts';
import {
  activeColumn,
  cellText,
  column,
  idColumn,
  ListScreen,
  prefetchList,
  type Row,
  switchActive,
  useForbidden,
} from '../../list/index.ts';
import { serverText, text, useText } from '../../text/index.ts';
import { sendInvite } from './invite.ts';
import { baseOf, type PeopleKind, permissionTextsOf, registrationOf, relationsOf } from './person.ts';
import { useChoices } from './sources.ts';

/** X-017, OPEN-044. */
const search = ['first_name', 'last_name', 'name', 'email'];
const pageSize = 100;
const sortable = ['id', 'email', 'name', 'first_name', 'last_name', 'is_active'];

/** Asks for the page of people that an address shows, ahead of the list itself. */
export const prefetchPeople = (kind: PeopleKind, address: URLSearchParams) =>
  prefetchList({ resource: kind, related: relationsOf[kind], pageSize, search }, sortable, address);

/** The list of administrators or users (PPL-005, PPL-006). */
export function PeopleList({ kind }: { kind: PeopleKind }) {
  const t = useText('people');
  const me = useSession()?.id;
  const base = baseOf[kind];
  // PPL-046: who may not read roles and apps has no use for this tab; the editor opened next has them.
  const { error } = useChoices(kind === 'user');
  useForbidden(error, t('user.title'), 'user', permissionTextsOf.user);

  const columns = useMemo(
    () => [
      idColumn(t('columns.id')),
      column('email', { label: t('columns.email'), opens: true, cell: (row) => <Email row={row} /> }),
      column('name', { label: t('columns.name'), width: 200, card: 'line' }),
      column('first_name', { label: t('columns.first_name'), width: 140 }),
      column('last_name', { label: t('columns.last_name'), width: 140 }),
      activeColumn(t('columns.is_active')),
      column('confirmed', {
        label: t('columns.confirmed'),
        width: 136,
        cell: (row) => <Registration row={row} />,
        // The server works it out of what it keeps to itself, and cannot sort by it.
        sortable: false,
        card: 'line',
      }),
    ],
    [t],
  );

  return (
    <ListScreen
      texts={`people:${kind}`}
      resource={kind}
      related={relationsOf[kind]}
      pageSize={pageSize}
      search={search}
      permissionTexts={permissionTextsOf[kind]}
      base={base}
      columns={columns}
      nameOf={(row) => String(row.name || row.email)}
      importable
      exportable
      warning={(rows) => (rows.some((row) => row.id === me) ? t(rows.length === 1 ? 'deleteMe' : 'deleteSelf') : null)}
      actions={(list) => [
        // Nobody shuts themselves out with one click.
        switchActive(
          list,
          () => t(`${kind}.updated`),
          (row) => row.id !== me,
        ),
        {
          label: () => t('sendInvite'),
          icon: () => <IconMail size="1.1em" aria-hidden />,
          isOffered: isUnconfirmed,
          run: async (row) => {
            if (await sendInvite(kind, Number(row.id))) await list.refresh();
          },
        },
      ]}
    />
  );
}

/** An address, marked when it looks like another's. */
function Email({ row }: { row: Row }) {
  if (typeof row.resembles !== 'string') return cellText(row.email);
  return (
    <>
      {cellText(row.email)}{' '}
      <Badge component="span" color="red" title={text('people:resembles.text', { email: row.resembles })}>
        {text('people:resembles.badge')}
      </Badge>
    </>
  );
}

/** Where someone stands with their confirmation, marked when the mail for it did not go out. */
function Registration({ row }: { row: Row }) {
  const state = text(`people:registration.${registrationOf(row)}`);
  if (typeof row.mail_error !== 'string') return state;
  return (
    <>
      {state}{' '}
      <Badge component="span" color="red" title={serverText(row.mail_error)}>
        {text('people:mailFailed')}
      </Badge>
    </>
  );
}

/** PPL-023. */
const isUnconfirmed = (row: Row): boolean => row.confirmed !== true;
