import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import { describeError } from './describe-error.ts';

interface ServiceConfigLinkProps {
  /** What was thrown. */
  error: unknown;
  /** `button` among other buttons, `text` in a line. */
  kind?: 'button' | 'text';
}

/** From an error of a database to the configuration of its service; nothing where the server told of none. */
export const ServiceConfigLink = ({ error, kind = 'button' }: ServiceConfigLinkProps) => {
  const t = useText('common');
  const { serviceId } = describeError(error);
  if (serviceId === null) return null;
  const to = `/services/${serviceId}/config`;
  return kind === 'button' ? (
    <Button component={Link} to={to} variant="default">
      {t('failed.toConfig')}
    </Button>
  ) : (
    <Anchor component={Link} to={to} inherit>
      {t('failed.toConfig')}
    </Anchor>
  );
};
