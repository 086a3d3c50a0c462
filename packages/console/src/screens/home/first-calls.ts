interface Caller {
  /** With `/api/v2`. */
  address: string;
  isAdmin: boolean;
  email: string;
  /** What stands where the password goes. */
  password: string;
  /** Name of a database service. */
  database: string;
}

/** For a shell: what stands between single quotes stays as it is. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The first calls one makes, for a terminal: sign in, services, tables. Without the person's token: a page is easily shown to others. */
export const firstCalls = ({ address, isAdmin, email, password, database }: Caller) => {
  const token = '-H "X-DreamFactory-Session-Token: $TOKEN"';
  const path = isAdmin ? 'system/admin/session' : 'user/session';
  return [
    {
      name: 'session',
      command: [
        `curl -X POST ${quoteForShell(`${address}/${path}`)}`,
        "-H 'Content-Type: application/json'",
        `-d ${quoteForShell(JSON.stringify({ email, password }))}`,
      ].join(' \\\n  '),
    },
    { name: 'services', command: [`TOKEN='…'\ncurl ${quoteForShell(address)}`, token].join(' \\\n  ') },
    {
      name: 'tables',
      command: [`curl ${quoteForShell(`${address}/${encodeURIComponent(database)}/_table`)}`, token].join(' \\\n  '),
    },
  ] as const;
};
