/** Whether this is `npm run quick`: tests that need a database server are left out, whatever servers there are. */
export const isQuick = Boolean(process.env.SLUICE_QUICK);
