import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeInstanceOf, openPage, signIn } from '../../list/testing.tsx';
import { Writers } from './writers.tsx';

beforeEach(signIn);

const writers = { administrators: 2, outside: false, roles: [], apps: [], people: [], has_more: false };
const open = (body: object) => {
  fakeInstanceOf('event_script', [], (call) => (call.path.includes('/_writers') ? { body } : undefined));
  const link = { storage_service_id: 8, storage_path: 'a.js', scm_repository: 'app', scm_reference: 'master' };
  openPage('/x', [{ path: '/x', element: <Writers link={link} /> }]);
};

it('of a file service those that its roles say', async () => {
  open(writers);
  expect(await screen.findByText(/^Only the 2 administrators can change this file/)).toBeTruthy();
});

it('of a repository those that its host says', async () => {
  open({ ...writers, outside: true });
  expect(await screen.findByText(/^Who may push to this repository/)).toBeTruthy();
  expect(screen.queryByText(/administrators/)).toBeNull();
});
