/** Opens a SQLite file with the driver the product uses: `node:sqlite` where Node has it, else the package with its API. */
export async function openSqlite(path) {
  const name = 'node:sqlite';
  const { DatabaseSync } = await import(name).catch(() => import('@photostructure/sqlite'));
  return new DatabaseSync(path);
}
