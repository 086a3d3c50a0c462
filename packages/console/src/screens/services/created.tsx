// What the list says of a service that was just made, and the way on from there.
import { Alert, Button, Group } from '@mantine/core';
import { dataScreenTypes, type ServiceRecord } from '@sluice/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useHasScreen } from '../../frame/screen-list.ts';
import { useText } from '../../text/index.ts';
import { createStore, useStore } from '../../ui/index.ts';
import classes from './services.module.css';

type CreatedService = Pick<ServiceRecord, 'name' | 'label' | 'type' | 'is_active'>;

const created = createStore<CreatedService | null>(null);

/** Tells the list of a service that was made, until one leaves it. */
export const showCreated = (service: CreatedService): void => created.set(service);

/** Says which service was made, and leads to its data where it has some (DAT-004). */
export function CreatedNotice() {
  const t = useText('services');
  const service = useStore(created);
  const hasScreen = useHasScreen();
  useEffect(() => () => created.set(null), []);
  if (!service) return null;
  const hasData = service.is_active && dataScreenTypes.includes(service.type) && hasScreen('/data');
  return (
    <Alert
      className={classes.created ?? ''}
      color="green"
      variant="light"
      p="xs"
      icon={<IconCircleCheck aria-hidden />}
      withCloseButton
      closeButtonLabel={t('created.close')}
      onClose={() => created.set(null)}
    >
      <Group gap="sm">
        <span>{t('created.made', { name: service.label || service.name })}</span>
        {hasData ? (
          <Button component={Link} to={`/data/${encodeURIComponent(service.name)}`} size="xs">
            {t('created.seeData')}
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}
