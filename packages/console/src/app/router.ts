import { createBrowserRouter } from 'react-router';
import { replaceOldAddress } from './old-address.ts';
import { routes } from './routes.tsx';

// The router reads the address bar when it is made, so old addresses are moved just before.
replaceOldAddress();
export const router = createBrowserRouter(routes);
