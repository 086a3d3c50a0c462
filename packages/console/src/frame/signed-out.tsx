import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsoleSettings } from '../api/console-settings.ts';
import { useEnvironment } from '../api/session-state.ts';
import { useText } from '../text/index.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { Bare } from './bare.tsx';
import { TopLinks } from './top-links.tsx';

interface SignedOutProps {
  title: string;
  /** What to do here, in a sentence. */
  hint?: string;
  children: ReactNode;
}

/** A page for people who are not signed in: the sign-in, a registration, a new password. */
export const SignedOut = ({ title, hint, children }: SignedOutProps) => {
  const common = useText('common');
  const { platform } = useEnvironment();
  const { version } = useConsoleSettings();
  usePageTitle(title);
  return (
    <Bare
      links={<TopLinks />}
      footer={
        <>
          <span>
            © {new Date().getFullYear()} {common('product')}
          </span>
          {(version || platform?.version) && <span>v{version || platform?.version}</span>}
        </>
      }
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{title}</Title>
          {hint && <Text c="dimmed">{hint}</Text>}
        </div>
        {children}
      </Stack>
    </Bare>
  );
};
