// The short way to a new service, above the tabs of its editor: a type or a pasted connection address fills the form, which can be tried
// at once. What is in the form stays on the tabs (SVC-004, SVC-005); nothing here is a value of its own.
import { Anchor, Text, Title } from '@mantine/core';
import { isInGroup } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../../api/index.ts';
import { useEditor } from '../../../editor/index.ts';
import { labelOf, missingFields } from '../../../fields/index.ts';
import { useText } from '../../../text/index.ts';
import { ConnectionTest, type TestRunState, useConnectionTest } from '../connection-test.tsx';
import { type ServiceForm, withType } from '../record.ts';
import type { OfferedType } from '../types.ts';
import type { Refusal } from './address.ts';
import { AddressInput } from './address-input.tsx';
import { readAddress } from './connection-address.ts';
import { fillForm, labelOfName, proposeName } from './fill.ts';
import classes from './short-way.module.css';
import { TypeSelect } from './type-select.tsx';

/** What became of the last address. */
type Outcome =
  | { kind: 'none' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'hindered'; type: OfferedType }
  | { kind: 'filled'; unused: string[] };

interface ShortWayProps {
  types: readonly OfferedType[];
  /** The tab that is shown: the test stands on `config` by itself. */
  tab: string;
  testRun: TestRunState;
}

/** Type, address, test: all it takes to connect a database. Shown while a service is made. */
export function ShortWay({ types, tab, testRun }: ShortWayProps) {
  const t = useText('services');
  const { form, address } = useEditor<ServiceForm>();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const problem = useProblem(outcome);
  const connection = useConnectionTest(testRun);
  const takenNames = useTakenNames();
  /** The name and label proposed last: what was typed is not replaced. */
  const proposed = useRef({ name: '', label: '' });
  const { values } = form;
  const type = types.find(({ name }) => name === values.type);

  const propose = (filled: ServiceForm): ServiceForm => {
    const name = proposeName(filled.config.database, filled.type, takenNames);
    const proposal = { name, label: labelOfName(name) };
    const isOwn = (field: 'name' | 'label') => !['', proposed.current[field]].includes(values[field]);
    const next = {
      name: isOwn('name') ? values.name : proposal.name,
      label: isOwn('label') ? values.label : proposal.label,
    };
    proposed.current = proposal;
    return { ...filled, ...next };
  };

  const takeAddress = (text: string): boolean => {
    const reading = readAddress(text, values.type);
    if ('problem' in reading) {
      setOutcome({ kind: 'refused', refusal: reading });
      return false;
    }
    const addressType = types.find(({ name }) => name === reading.type);
    if (!addressType?.available) {
      setOutcome(
        addressType
          ? { kind: 'hindered', type: addressType }
          : { kind: 'refused', refusal: { problem: 'unknownScheme', scheme: reading.type } },
      );
      return false;
    }
    const filled = fillForm(values, reading, addressType);
    form.setValues(propose(filled.form));
    setOutcome({ kind: 'filled', unused: filled.unused });
    return true;
  };

  const choose = (next: OfferedType | null) => {
    setOutcome({ kind: 'none' });
    if (next?.name !== values.type) form.setValues(next ? withType(values, next) : { ...values, type: '' });
  };

  return (
    <section className={classes.panel} aria-labelledby="short-way">
      <header>
        <Title order={2} size="h4" id="short-way">
          {t('shortWay.title')}
        </Title>
        <Text size="sm" c="var(--s-text-soft)">
          {t('shortWay.hint')}
        </Text>
      </header>
      <div className={classes.fields}>
        <TypeSelect types={types} chosen={values.type} onChoose={choose} />
        <AddressInput onAddress={takeAddress} problem={problem} onEdit={() => setOutcome({ kind: 'none' })} />
      </div>
      <div role="status" className={classes.summary}>
        {type?.available && outcome.kind === 'filled' ? <Filled type={type} unused={outcome.unused} /> : null}
        {type?.available ? <StillMissing type={type} to={`${address}/config`} /> : null}
      </div>
      {type?.available && isInGroup(type, 'Database') && tab !== 'config' ? <ConnectionTest {...connection} /> : null}
    </section>
  );
}

/** Why the last address was not taken; null when it was. */
function useProblem(outcome: Outcome): string | null {
  const t = useText('services');
  if (outcome.kind === 'hindered') {
    const { type } = outcome;
    const reason =
      type.hindrance === 'locked' ? t('tier.needs', { tier: type.subscription_required ?? '' }) : t('missing.hint');
    return `${t('shortWay.otherType', { type: type.label })} ${reason}`;
  }
  if (outcome.kind !== 'refused') return null;
  const { problem, scheme = '' } = outcome.refusal;
  return t(`shortWay.problems.${problem}`, { scheme });
}

/** Where the form leads now, without its password. */
function Filled({ type, unused }: { type: OfferedType; unused: readonly string[] }) {
  const t = useText('services');
  const { form } = useEditor<ServiceForm>();
  const { host, port, unix_socket, database, username, password } = form.values.config as Record<string, string>;
  const server = unix_socket || [host, port].filter(Boolean).join(':');
  const place = [server, database, username].filter(Boolean).join(' · ');
  return (
    <>
      <Text size="sm" className={classes.line ?? ''}>
        <strong>{t('shortWay.filled', { type: type.label })}</strong> <span className={classes.mono}>{place}</span>
      </Text>
      <Text size="sm" c="var(--s-text-soft)">
        {t('shortWay.named', { name: form.values.name })}
      </Text>
      {password ? (
        <Text size="sm" c="var(--s-text-soft)">
          {t('shortWay.passwordKept')}
        </Text>
      ) : null}
      {unused.length > 0 ? (
        <Text size="sm" c="var(--s-warning)">
          {t('shortWay.unused', { names: unused.join(', ') })}
        </Text>
      ) : null}
    </>
  );
}

/** What the type requires and the form does not have yet. */
function StillMissing({ type, to }: { type: OfferedType; to: string }) {
  const t = useText('services');
  const { form } = useEditor<ServiceForm>();
  const schema = type.config_schema ?? [];
  const names = missingFields(schema, form.values.config);
  if (names.length === 0) return null;
  const labels = schema.filter(({ name }) => names.includes(name)).map(labelOf);
  return (
    <Text size="sm">
      {t('shortWay.missing', { fields: labels.join(', ') })}{' '}
      <Anchor component={Link} to={to}>
        {t('shortWay.toConfig')}
      </Anchor>
    </Text>
  );
}

const noNames: ReadonlySet<string> = new Set();

/** Names that services have, so that none of them is proposed; without an answer the server still refuses a second one. */
function useTakenNames(): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: ['system', 'service', 'names'],
    queryFn: async ({ signal }) => {
      const query = { fields: 'name', order: 'id asc' };
      const { resource } = await api.get<{ resource: { name: string }[] }>('system/service', { query, signal });
      return new Set(resource.map(({ name }) => name.toLowerCase()));
    },
  });
  return data ?? noNames;
}
