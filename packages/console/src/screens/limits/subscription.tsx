import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useUpgradeAddress } from '../../session/upgrade.ts';
import { useText } from '../../text/index.ts';
import { Empty, Page } from '../../ui/index.ts';

const base = '/limits';

/** What stands in place of the limits where the server has none: both links lead here (LIM-007, OPEN-180). */
export function SubscriptionRequired() {
  const t = useText('limits');
  const tServices = useText('services');
  const upgrade = useUpgradeAddress();
  return (
    <Page
      title={t('title')}
      tabs={[
        { label: t('manage'), to: base, isCurrent: true },
        { label: t('create'), to: base, isCurrent: false },
      ]}
    >
      <Empty
        icon={IconLock}
        title={t('title')}
        text={`${tServices('tier.needs', { tier: 'GOLD' })}\n${tServices('tier.contact')}`}
        action={
          upgrade ? (
            <Button component="a" href={upgrade} target="_blank" rel="noopener noreferrer">
              {tServices('tier.upgrade')}
            </Button>
          ) : null
        }
      />
    </Page>
  );
}
