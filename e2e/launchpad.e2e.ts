// The launchpad at the door: who is let in without being signed in, and what it says when the instance does not tell its apps.
import { hideGuestApps } from './guests.ts';
import { expect, signIn, test } from './instance.ts';

test('LPD-001 a query in the address leads to the login page, and who is signed in comes back without it', async ({
  page,
  instance,
}) => {
  await page.goto(`${instance.url}/launchpad?from=mail`);
  await expect(page).toHaveURL(/\/login(\?|$)/);
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
  const person = { email: `launchpad.${Date.now()}@example.com`, password: 'their own one' };
  const record = { ...person, name: 'Somebody', is_active: true };
  expect((await instance.api('POST', 'system/user', { resource: [record] })).status).toBe(201);
  await signIn(page, instance, person);
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.goto(`${instance.url}/launchpad?from=mail`);
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  await expect(page.getByRole('heading', { name: 'LaunchPad' })).toBeVisible();
  expect(visited).toContain('/login');
});

test('LPD-002 without a session it opens only where there are apps for guests', async ({ page, instance }) => {
  await hideGuestApps(instance);
  await page.goto(`${instance.url}/launchpad`);
  await expect(page).toHaveURL(/\/login$/);
  const name = `guests-${Date.now()}`;
  const role = await instance.api('POST', 'system/role', { resource: [{ name, is_active: true }] });
  const app = { name, type: 2, url: `${instance.url}/healthz`, is_active: true, role_id: role.body.resource[0].id };
  const { body } = await instance.api('POST', 'system/app', { resource: [app] });
  try {
    await page.goto(`${instance.url}/launchpad`);
    await expect(page.getByRole('link', { name: new RegExp(name) })).toBeVisible();
    await expect(page).toHaveURL(`${instance.url}/launchpad`);
  } finally {
    await instance.api('DELETE', `system/app/${body.resource[0].id}`);
  }
});

test('LPD-005 a system config without apps is said to be an error, and read again', async ({ page, instance }) => {
  let isComplete = false;
  await page.route('**/system/environment', async (route) => {
    if (isComplete) return route.continue();
    const response = await route.fetch();
    const { apps: _apps, ...environment } = await response.json();
    await route.fulfill({ response, json: environment });
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/launchpad`);
  await expect(page.getByRole('alert')).toBeVisible();
  isComplete = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
