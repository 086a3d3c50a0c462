// The service types as another server of the family lists them: this one has none that need a licence.
import type { Page } from '@playwright/test';

interface ServiceType {
  name: string;
  [field: string]: unknown;
}

/** Changes what the page gets as the list of types. */
export const changeTypes = (page: Page, change: (types: ServiceType[]) => ServiceType[]) =>
  page.route('**/api/v2/system/service_type', async (route) => {
    const response = await route.fetch();
    const { resource } = await response.json();
    await route.fulfill({ response, json: { resource: change(resource) } });
  });

/** As of a server that lacks these types. */
export const withoutTypes = (page: Page, ...names: string[]) =>
  changeTypes(page, (types) => types.filter(({ name }) => !names.includes(name)));
