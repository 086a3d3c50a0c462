import { expect, it } from 'vitest';
import { groupEvents, wholeService } from './events.ts';

it('groups events by service, each led by all of them (OPEN-152)', () => {
  expect(groupEvents(['db.get', 'user.session.post', 'db._table.{table_name}.get', 'alone'])).toEqual([
    { service: 'db', events: ['db.*', 'db.get', 'db._table.{table_name}.get'] },
    { service: 'user', events: ['user.*', 'user.session.post'] },
    { service: 'alone', events: ['alone.*', 'alone'] },
  ]);
  expect(wholeService('db.*')).toBe('db');
  expect(wholeService('db.get')).toBeNull();
});
