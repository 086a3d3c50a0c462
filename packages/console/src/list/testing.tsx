// For tests of lists, editors and screens: a page at an address, and an instance that holds records of one resource.

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router';
import { storeSession } from '../api/session-state.ts';
import { aSession, type FakeResponse, fakeInstance, freshConsole, type RecordedCall, refusal } from '../api/testing.ts';
import type { Screen } from '../frame/screen.ts';
import { ScreenList } from '../frame/screen-list.ts';
import { theme } from '../theme/index.ts';
import { question } from '../ui/confirm.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { clearNotices, notices } from '../ui/notify.ts';
import { Toasts } from '../ui/toasts.tsx';
import { UnsavedGuard } from '../unsaved/index.ts';
import type { Row } from './column.tsx';

/** The screens a page under test may link to. */
const linkableScreens = (['app', 'admin', 'user', 'role', 'service', 'limit'] as const).map(
  (resource): Screen => ({
    path: `/${resource}s`,
    guard: 'user',
    edits: resource,
    frame: 'rail',
    load: async () => () => null,
  }),
);

/** Shows an address of some routes to someone signed in, with the dialogs and toasts around it. */
export function openPage(address: string, routes: RouteObject[]) {
  clearNotices();
  question.set(null);
  notices.set({ ...notices.get(), toasts: [] });
  const pages = [...routes, { path: '/home', element: <p>Home is here</p> }];
  const guarded = (
    <UnsavedGuard>
      <Outlet />
    </UnsavedGuard>
  );
  const router = createMemoryRouter([{ element: guarded, children: pages }], { initialEntries: [address] });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const page = render(
    <MantineProvider theme={theme} env="test" withCssVariables={false}>
      <QueryClientProvider client={client}>
        <ScreenList value={linkableScreens}>
          <RouterProvider router={router} />
        </ScreenList>
        <Toasts />
        <ConfirmDialog />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const currentAddress = () => router.state.location.pathname + router.state.location.search;
  return { ...page, router, client, currentAddress, user: userEvent.setup() };
}

/** Signs a person in to a clean console; for `beforeEach`. */
export function signIn(): void {
  freshConsole();
  sessionStorage.clear();
  storeSession(aSession());
}

/** The query of a recorded call. */
export const queryOf = (call: RecordedCall): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(call.path.split('?')[1] ?? ''));

/**
 * An instance that keeps records of one resource and answers as the contract says: paging, one order, the `like`
 * filter, create, update, delete. `override` answers first; undefined passes on.
 */
export function fakeInstanceOf(
  resource: string,
  records: Row[],
  override: (call: RecordedCall) => FakeResponse | undefined | Promise<FakeResponse> = () => undefined,
) {
  let rows = [...records];
  const calls = fakeInstance(async (call) => {
    const response = await override(call);
    if (response) return response;
    const [path = ''] = call.path.split('?');
    const params = queryOf(call);
    if (path !== `system/${resource}` && !path.startsWith(`system/${resource}/`)) {
      return refusal(404, `Resource '${path}' not found.`);
    }
    const id = Number(path.split('/')[2]);
    const found = rows.find((row) => row.id === id);
    if (call.method === 'POST') {
      const created = (call.body as { resource: Row[] }).resource.map((row, index) => ({ id: 900 + index, ...row }));
      rows = [...rows, ...created];
      return { status: 201, body: { resource: created } };
    }
    if (call.method === 'DELETE') {
      const ids = params.ids ? params.ids.split(',').map(Number) : [id];
      rows = rows.filter((row) => !ids.includes(row.id as number));
      return { body: { resource: ids.map((deletedId) => ({ id: deletedId })) } };
    }
    if (path !== `system/${resource}`) {
      if (!found) return refusal(404, `Record with identifier '${path.split('/')[2]}' not found.`);
      if (call.method === 'PUT') Object.assign(found, call.body);
      return { body: found };
    }
    const searchText = params.filter?.match(/%(.*?)%/)?.[1]?.toLowerCase() ?? '';
    const [field = 'id', direction] = (params.order ?? '').split(' ');
    const matching = rows
      .filter((row) => JSON.stringify(row).toLowerCase().includes(searchText))
      .sort((a, b) => compare(a[field], b[field]) * (direction === 'desc' ? -1 : 1));
    const offset = Number(params.offset ?? 0);
    return {
      body: {
        resource: matching.slice(offset, offset + Number(params.limit ?? 1000)),
        meta: { count: matching.length },
      },
    };
  });
  return { calls, rows: () => rows };
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '').localeCompare(String(b ?? ''));
