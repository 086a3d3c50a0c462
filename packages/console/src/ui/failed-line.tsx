import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/index.ts';

interface FailedLineProps {
  /** What could not be read, as a sentence. */
  children: ReactNode;
  onRetry: () => void;
}

/** What a choice could not be read from, in place of a field's error, and another try. */
export const FailedLine = ({ children, onRetry }: FailedLineProps) => {
  const t = useText('common');
  return (
    <span role="alert">
      {children}{' '}
      <Anchor component="button" type="button" inherit underline="always" c="inherit" onClick={onRetry}>
        {t('retry')}
      </Anchor>
    </span>
  );
};
