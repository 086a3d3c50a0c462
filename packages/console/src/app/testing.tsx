// For tests of the console as a whole.

import { Outlet } from 'react-router';
import { ScreenList } from '../frame/screen-list.ts';
import { screens } from '../screens/index.ts';
import { showRoutes } from '../session/testing.tsx';
import { routes } from './routes.tsx';

const Console = () => (
  <ScreenList value={screens}>
    <Outlet />
  </ScreenList>
);

/** Shows the whole console at an address: its real routes, guards and frame. */
export const showConsole = (at: string) => showRoutes([{ Component: Console, children: routes }], at);
