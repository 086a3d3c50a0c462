// For tests of screens and of the frame: the console's own surroundings, at an address.

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { queryClient } from '../api/query-client.ts';
import { theme } from '../theme/theme.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { clearNotices, closeToast, notices } from '../ui/notify.ts';
import { Toasts } from '../ui/toasts.tsx';
import { routes } from './routes.tsx';

const Around = ({ children }: { children: ReactNode }) => (
  <MantineProvider theme={theme} env="test">
    <QueryClientProvider client={queryClient}>
      {children}
      <Toasts />
      <ConfirmDialog />
    </QueryClientProvider>
  </MantineProvider>
);

/** What an earlier test has left: data and messages. */
const tidy = () => {
  queryClient.clear();
  clearNotices();
  for (const { id } of notices.get().toasts) closeToast(id);
};

/** Shows a component by itself, at an address. */
export const show = (content: ReactNode, at = '/') => {
  tidy();
  const router = createMemoryRouter([{ path: '*', element: content }], { initialEntries: [at] });
  return { router, ...render(<Around>{<RouterProvider router={router} />}</Around>) };
};

/** Shows the whole console at an address: its real routes, guards and frame. */
export const showConsole = (at: string) => {
  tidy();
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  return { router, ...render(<Around>{<RouterProvider router={router} />}</Around>) };
};
