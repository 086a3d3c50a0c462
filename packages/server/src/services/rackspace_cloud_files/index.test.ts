// Containers of Cloud Files as file services: what differs from other Swifts is the login by a key.
import { startSwiftServer, swiftAccount } from '@sluice/testkit/file-servers';
import { startPlatform } from '@sluice/testkit/platform';
import { expect, it } from 'vitest';

const { username, tenant_name, api_key } = swiftAccount;

it('signs in with an API key, finds the region in the catalogue, and keeps files', async () => {
  const [platform, { url, stop }] = await Promise.all([startPlatform(), startSwiftServer()]);
  const config = { username, tenant_name, api_key, url: `${url}/v2.0/`, region: 'ORD', container: 'box' };
  const { ask, create } = platform;
  const type = 'rackspace_cloud_files';
  await create('service', { name: 'box', label: 'box', type, is_active: true, config });
  expect((await ask('POST', 'box/docs/')).status).toBe(201);
  expect((await ask('POST', 'box/docs/a%20b.txt', { body: 'content' })).status).toBe(201);
  expect((await ask('GET', 'box/docs/a%20b.txt')).text).toBe('content');
  expect((await ask('GET', 'box/?full_tree=true&as_list=true')).body.resource).toEqual(['docs/', 'docs/a b.txt']);
  const tried = (changes: object) =>
    ask('POST', 'system/service/_test', { body: { type, config: { ...config, ...changes } } });
  expect((await tried({})).body).toEqual({ success: true });
  const wrong = await tried({ api_key: 'some-other-key' });
  expect([wrong.status, wrong.body.error.message]).toEqual([
    ...[503, expect.stringMatching(/^The storage does not accept the login of the service: /)],
  ]);
  const elsewhere = await tried({ region: 'LON' });
  expect([elsewhere.status, elsewhere.body.error.message]).toEqual([
    ...[502, 'The storage answered with an error: its catalogue has no object store in the region LON.'],
  ]);
  await platform.stop();
  await stop();
});
