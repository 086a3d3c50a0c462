// The call for what a table shows, in three languages, with a key or one's own session; and what it answers.
import { Drawer, MultiSelect, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { apiAddress } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { dropDownProps, useStore } from '../../ui/index.ts';
import { CallCode } from '../call-code.tsx';
import classes from '../calls.module.css';
import { keyRequest } from '../key/requests.ts';
import { RunCall } from '../run-call.tsx';
import { useCaller } from './use-caller.tsx';

export interface ApiDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Below `/api/v2`, encoded. */
  path: string;
  query: Record<string, string>;
  /** Relations whose records can come along. */
  relations: readonly { name: string; label: string }[];
  /** What a new key is for at first. */
  service: string;
  table: string;
}

/** Relations that are offered at once; typing finds the others. */
const maxOptions = 50;

export function ApiDrawer({ isOpen, onClose, title, ...call }: ApiDrawerProps) {
  const common = useText('common');
  // Closed at first: only a drawer that opens notes where the focus was.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  const isAsking = useStore(keyRequest) !== null;
  return (
    <Drawer
      opened={isShown}
      onClose={onClose}
      title={title}
      position="right"
      size="lg"
      classNames={{ title: classes.drawerTitle! }}
      closeOnEscape={!isAsking}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <DrawerContent {...call} />
    </Drawer>
  );
}

function DrawerContent({
  path,
  query,
  relations,
  service,
  table,
}: Omit<ApiDrawerProps, 'isOpen' | 'onClose' | 'title'>) {
  const t = useText('calls');
  const [related, setRelated] = useState<string[]>([]);
  const { caller, credential, choice } = useCaller({ service, table });
  const whole = related.length > 0 ? { ...query, related: related.join(',') } : query;
  return (
    <div className={classes.form}>
      <Text size="sm" c="var(--s-text-soft)">
        {t('drawer.text')}
      </Text>
      {choice}
      {relations.length > 0 ? (
        <MultiSelect
          {...dropDownProps}
          label={t('drawer.related')}
          description={t('drawer.relatedHint')}
          placeholder={related.length === 0 ? t('drawer.relatedNone') : ''}
          data={relations.map(({ name, label }) => ({ value: name, label: label || name }))}
          value={related}
          onChange={setRelated}
          searchable
          limit={maxOptions}
          nothingFoundMessage={t('key.noMatch')}
        />
      ) : null}
      <CallCode call={{ address: `${apiAddress()}/${path}`, query: Object.entries(whole), credential }} />
      <RunCall key={JSON.stringify([path, whole, caller])} path={path} query={whole} caller={caller} />
    </div>
  );
}
