/**
 * First parts of addresses that are the console's or the server's own: no service of such a name has public paths. `files` is
 * none of them: the console has `/files` itself and nothing below it, so that the seeded service may have public paths.
 */
export const reservedAddresses: ReadonlySet<string> = new Set([
  ...['api', 'assets', 'status', 'healthz', 'readyz', 'metrics', 'mcp', 'graphql'],
  ...['console.json', 'index.html', 'favicon.ico'],
  ...['login', 'logout', 'setup', 'register', 'home', 'launchpad', 'profile', 'downloads'],
  ...['apps', 'admins', 'users', 'roles', 'services', 'schema', 'data', 'scripts', 'config', 'packages', 'limits'],
  ...['audit', 'apidocs', 'api-docs', 'df-api-docs-ui', 'filemanager', 'file-manager'],
]);
