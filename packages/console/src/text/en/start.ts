// What can be said before anyone has signed in.

import { common } from './common.ts';
import { session } from './session.ts';

export const start = { common, session };
