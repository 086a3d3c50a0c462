// For tests of single pages: the console's own surroundings, at an address.

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { queryClient } from '../api/query-client.ts';
import { theme } from '../theme/theme.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { clearNotices, closeToast, notices } from '../ui/notify.ts';
import { Toasts } from '../ui/toasts.tsx';

/** What an earlier test has left: data and messages. */
const clearTestState = () => {
  queryClient.clear();
  clearNotices();
  for (const { id } of notices.get().toasts) closeToast(id);
};

/** Shows some routes at an address, with the dialogs and toasts around them. */
export const showRoutes = (routes: RouteObject[], at: string) => {
  clearTestState();
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const page = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
        <ConfirmDialog />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router, ...page };
};

/** Shows a component by itself, at an address. */
export const show = (content: ReactNode, at = '/') => showRoutes([{ path: '*', element: content }], at);
