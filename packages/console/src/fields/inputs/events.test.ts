import { expect, it } from 'vitest';
import { groupEvents, serviceOfAllEvents } from './events.ts';

it('groups events by service, each led by all of them (OPEN-152)', () => {
  expect(groupEvents(['db.get', 'user.session.post', 'db._table.{table_name}.get', 'alone'])).toEqual([
    { service: 'db', events: ['db.*', 'db.get', 'db._table.{table_name}.get'] },
    { service: 'user', events: ['user.*', 'user.session.post'] },
    { service: 'alone', events: ['alone.*', 'alone'] },
  ]);
  expect(serviceOfAllEvents('db.*')).toBe('db');
  expect(serviceOfAllEvents('db.get')).toBeNull();
});
