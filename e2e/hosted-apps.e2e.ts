// Apps that a file service has: launched from the Launchpad, run at the second address, and kept from the console's session.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Instance, signIn, test } from './instance.ts';

let createdCount = 0;
const unique = (name: string) => `${name}_${Date.now()}_${createdCount++}`;

/** Writes a page into a public folder of a new file service; answers the name of the service. */
async function publish(instance: Instance, html: string): Promise<string> {
  const name = unique('pages');
  const config = { container: name, public_path: ['open'] };
  const service = { name, label: name, type: 'local_file', is_active: true, config };
  expect((await instance.api('POST', 'system/service', { resource: [service] })).status).toBe(201);
  const folder = join(instance.dataFolder, 'files', name, 'open');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  return name;
}

/** Where the terminal says that hosted apps run. */
const appsUrl = (instance: Instance) => /Hosted apps run at (\S+)/.exec(instance.output())?.[1] ?? '';

test('LPD-004 LPD-006 a hosted app is launched from the Launchpad and calls the API with its key', async ({
  page,
  instance,
}) => {
  const role = {
    name: unique('reader'),
    is_active: true,
    role_service_access_by_role_id: [{ service_id: 5, component: '*', verb_mask: 1, requestor_mask: 1 }],
  };
  const { body: roles } = await instance.api('POST', 'system/role', { resource: [role] });
  const name = unique('shop');
  const { body: apps } = await instance.api('POST', 'system/app?fields=*', {
    resource: [{ name, type: 0, is_active: true, role_id: roles.resource[0].id }],
  });
  const [{ id, api_key: key }] = apps.resource;
  const service = await publish(
    instance,
    `<!doctype html><title>Shop</title><output></output><script>
      fetch('/api/v2/db/_table', { headers: { 'X-DreamFactory-API-Key': '${key}' } })
        .then((answer) => (document.querySelector('output').textContent = 'answered ' + answer.status));
    </script>`,
  );
  const { body: services } = await instance.api('GET', `system/service?filter=name="${service}"&fields=id`);
  const storage = {
    type: 1,
    storage_service_id: services.resource[0].id,
    storage_container: 'open',
    path: 'index.html',
  };
  expect((await instance.api('PATCH', `system/app/${id}`, storage)).status).toBe(200);

  await signIn(page, instance);
  await page.goto(`${instance.url}/launchpad`);
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name }).click();
  const app = await opening;
  await expect(app).toHaveURL(`${appsUrl(instance)}/${service}/open/index.html`);
  await expect(app.getByText('answered 200')).toBeVisible();
});

test('abuse: a page that somebody uploaded does not act as the console, even when an administrator opens it', async ({
  page,
  instance,
}) => {
  const service = await publish(
    instance,
    `<!doctype html><title>quiet</title><iframe></iframe><script>
      document.title = 'ran';
      window.found = (async () => {
        const reach = async (url, options) => {
          try {
            return (await fetch(url, options)).status;
          } catch {
            return 'refused';
          }
        };
        const frame = document.querySelector('iframe');
        const home = '${instance.url}/home';
        await new Promise((resolve) => {
          frame.onload = resolve;
          frame.src = home;
        });
        let framed = 'closed';
        try {
          framed = frame.contentDocument ? frame.contentDocument.body.textContent : 'closed';
        } catch {}
        return {
          cookie: document.cookie,
          stored: localStorage.length,
          framed,
          ownApi: await reach('/api/v2/system/role'),
          console: await reach('/home'),
          readsConsole: await reach(home, { credentials: 'include' }),
          callsConsole: await reach('${instance.url}/api/v2/system/role', { credentials: 'include' }),
        };
      })();
    </script>`,
  );
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).toContain('CurrentUserObj');

  // By its address of the API it runs nothing, with the console's session at hand.
  const { body: session } = await instance.api('POST', 'system/admin/session', {
    email: 'ada@example.com',
    password: 'correct horse',
  });
  await page.goto(
    `${instance.url}/api/v2/${service}/open/index.html?session_token=${encodeURIComponent(session.session_token)}`,
  );
  await expect(page).toHaveTitle('quiet');

  // By its public address it runs, elsewhere.
  await page.goto(`${instance.url}/${service}/open/index.html`);
  await expect(page).toHaveURL(`${appsUrl(instance)}/${service}/open/index.html`);
  await expect(page).toHaveTitle('ran');
  expect(await page.evaluate(() => (window as unknown as { found: Promise<unknown> }).found)).toEqual({
    ...{ cookie: '', stored: 0, framed: 'closed', ownApi: 400, console: 404 },
    ...{ readsConsole: 'refused', callsConsole: 'refused' },
  });

  // Nor does it run at the second port by the console's own name.
  const { port } = new URL(appsUrl(instance));
  const there = await page.goto(`http://127.0.0.1:${port}/${service}/open/index.html`);
  expect(there?.status()).toBe(404);
  await expect(page).not.toHaveTitle('ran');
});
