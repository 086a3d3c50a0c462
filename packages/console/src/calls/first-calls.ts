import { encodeSegment } from './code/call.ts';
import { writeCurl } from './code/curl.ts';

interface Person {
  /** With `/api/v2`. */
  address: string;
  isAdmin: boolean;
  email: string;
  /** What stands where the password goes. */
  password: string;
  /** Name of a database service. */
  database: string;
}

/** The first calls one makes, for a terminal: sign in, services, tables. Without the person's token: a page is easily shown to others. */
export const firstCalls = ({ address, isAdmin, email, password, database }: Person) => {
  const credential = { tokenHint: '…' };
  const session = `${address}/${isAdmin ? 'system/admin/session' : 'user/session'}`;
  return [
    {
      name: 'session',
      command: writeCurl({ address: session, credential: {}, body: JSON.stringify({ email, password }) }),
    },
    { name: 'services', command: writeCurl({ address, credential }) },
    { name: 'tables', command: writeCurl({ address: `${address}/${encodeSegment(database)}/_table`, credential }) },
  ] as const;
};
