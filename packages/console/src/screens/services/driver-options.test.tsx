import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { serviceTypes } from '../../fields/config/service-types.fixture.ts';
import { fakeInstanceOf, openPage, signIn } from '../../list/testing.tsx';
import { ServicesScreen } from './index.tsx';

beforeEach(signIn);

it('two options of one name are not saved: the first would be lost', async () => {
  const config = { host: 'db.example.com', database: 'crm', options: { charset: 'utf8', timezone: 'Z' } };
  const row = { id: 5, name: 'crm', label: 'Customers', type: 'mysql', is_active: true, deletable: true, config };
  const { calls } = fakeInstanceOf('service', [{ ...row, service_doc_by_service_id: null }], ({ path }) =>
    path === 'system/service_type' ? { body: { resource: serviceTypes } } : undefined,
  );
  const sent = () => calls.filter(({ method }) => method !== 'GET');
  const { user } = openPage('/services/5/config', [{ path: '/services/*', element: <ServicesScreen /> }]);
  const name = (number: number) => screen.getByRole<HTMLInputElement>('textbox', { name: `Name, row ${number}` });
  await screen.findByRole('textbox', { name: 'Name, row 2' });
  await user.clear(name(2));
  await user.type(name(2), 'charset');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(document.activeElement).toBe(name(1)));
  expect(screen.getByText('1 field needs attention')).toBeTruthy();
  expect(sent()).toEqual([]);

  await user.clear(name(2));
  await user.type(name(2), 'collation');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect((sent()[0]!.body as { config: object }).config).toMatchObject({
    options: { charset: 'utf8', collation: 'Z' },
  });
});
