import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { consoleSettings } from '../../api/console-settings.ts';
import { queryClient } from '../../api/index.ts';
import { fakeInstance } from '../../api/testing.ts';
import { signIn } from '../../list/testing.tsx';
import { theme } from '../../theme/index.ts';
import { GraphqlButton } from './graphql-button.tsx';

const settings = consoleSettings.get();
beforeEach(() => {
  signIn();
  queryClient.clear();
});

const show = (graphql: boolean) => {
  consoleSettings.set({ ...settings, graphql });
  const calls = fakeInstance(() => ({ body: { paths: { '/_table/product': { get: {} } } } }));
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <GraphqlButton service="shop" />
        <p>the page</p>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return calls;
};

it('shows the address and a query of the service as a command', async () => {
  show(true);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'GraphQL' }));
  expect(await screen.findByText(`${location.origin}/graphql`)).toBeTruthy();
  expect(screen.getByRole('dialog', { name: 'GraphQL' }).textContent).toContain(
    `-d '{"query":"{ getShopTableProductList(limit: 5) { __typename } }"}'`,
  );
});

it('is not there where the instance has no GraphQL', async () => {
  const calls = show(false);
  await expect.poll(() => calls.length).toBe(1);
  await screen.findByText('the page');
  expect(screen.queryByRole('button', { name: 'GraphQL' })).toBeNull();
});
