import { describe, expect, it } from 'vitest';
import { emptyPerson, registrationOf, roleIn, signInProblems, toDraft, toForm, toRecord, withRole } from './person.ts';

describe('registration', () => {
  it.each<[object, string, string]>([
    [{ confirmed: true, expired: false }, 'confirmed', 'PPL-013'],
    [{ confirmed: false, expired: false }, 'pending', 'PPL-014'],
    [{ confirmed: false, expired: true }, 'expired', 'PPL-015'],
    [{ confirmed: true, expired: true }, 'expired', 'OPEN-094'],
    [{}, 'unknown', 'PPL-016'],
    [{ confirmed: null, expired: null }, 'unknown', 'PPL-016'],
  ])('of %j is %s (%s)', (person, state) => {
    expect(registrationOf(person)).toBe(state);
  });
});

describe('a new person', () => {
  const filled = { ...emptyPerson, email: 'jo@example.com' };

  it('is sent with the defaults of the documents (PPL-024, PPL-025, PPL-026, PPL-027, PPL-028)', () => {
    expect(toRecord(filled, 'admin')).toEqual({
      name: '',
      first_name: null,
      last_name: null,
      email: 'jo@example.com',
      username: '',
      phone: null,
      is_active: true,
      confirmed: false,
      user_source: 0,
      user_data: [],
      lookup_by_user_id: [],
    });
  });

  it('has an app and roles as a user (PPL-029), and the flag its editor writes on new keys (PPL-030, PPL-031)', () => {
    const withKey = { ...filled, lookup_by_user_id: [{ name: 'a ', value: 'b', private: false }] };
    expect(toRecord(withKey, 'user')).toMatchObject({
      default_app_id: null,
      user_to_app_to_role_by_user_id: [],
      lookup_by_user_id: [{ name: 'a', value: 'b', private: false, allow_user_update: false }],
    });
    expect(toRecord(withKey, 'admin')).toMatchObject({ lookup_by_user_id: [{ allow_admin_update: false }] });
    expect(toRecord(withKey, 'admin')).not.toHaveProperty('default_app_id');
  });

  it('is invited or gets a password: one of the two, typed twice (PPL-037, PPL-038, PPL-039)', () => {
    const problemsOf = (changes: Partial<typeof filled>) => signInProblems({ ...filled, ...changes });
    expect(problemsOf({})).toEqual({ sendInvite: 'neither' });
    expect(problemsOf({ sendInvite: true, setPassword: true })).toEqual({ sendInvite: 'both' });
    expect(problemsOf({ sendInvite: true })).toEqual({});
    expect(problemsOf({ setPassword: true })).toEqual({ password: 'missing' });
    expect(problemsOf({ setPassword: true, password: 'a', verify: 'b' })).toEqual({
      password: 'mismatch',
      verify: 'mismatch',
    });
    expect(problemsOf({ setPassword: true, password: 'a', verify: 'a' })).toEqual({});
  });

  it('leaves no password in a draft', () => {
    expect(toDraft({ ...filled, setPassword: true, password: 'secret', verify: 'secret' })).toMatchObject({
      password: '',
      verify: '',
    });
  });
});

describe('a person of the server', () => {
  const stored = toForm({ id: 7, name: 'Jo', email: 'jo@example.com', username: null, is_active: false, phone: null });

  it('needs neither invitation nor password, and is sent without one', () => {
    expect(signInProblems(stored)).toEqual({});
    const sent = toRecord(stored, 'user');
    expect(sent).toMatchObject({ id: 7, is_active: false, username: '' });
    for (const key of ['password', 'verify', 'confirmed', 'user_source', 'sendInvite', 'setPassword'])
      expect(sent).not.toHaveProperty(key);
  });

  it('gets a password only while it is to be set', () => {
    const typed = { ...stored, password: 'secret', verify: 'secret' };
    expect(toRecord(typed, 'user')).not.toHaveProperty('password');
    expect(toRecord({ ...typed, setPassword: true }, 'user')).toHaveProperty('password', 'secret');
  });
});

describe('roles per app', () => {
  const row = { id: 5, app_id: 4, role_id: 2, user_id: 7 };

  it('of the server are changed in their row, or marked by clearing their owner (PPL-035, PPL-036)', () => {
    expect(withRole([row], 4, 3, 7)).toEqual([{ ...row, role_id: 3 }]);
    const cleared = withRole([row], 4, null, 7);
    expect(cleared).toEqual([{ ...row, user_id: null }]);
    expect(roleIn(cleared, 4)).toBeNull();
    expect(withRole(cleared, 4, 9, 7)).toEqual([{ ...row, role_id: 9 }]);
  });

  it('that are new are added once for an app, and dropped', () => {
    const added = withRole([], 4, 2, 7);
    expect(added).toEqual([{ app_id: 4, role_id: 2, user_id: 7 }]);
    expect(withRole(added, 4, 3, 7)).toEqual([{ app_id: 4, role_id: 3, user_id: 7 }]);
    expect(withRole(added, 4, null, 7)).toEqual([]);
    expect(withRole([], 4, null, 7)).toEqual([]);
    expect(withRole([], 4, 2, undefined)).toEqual([{ app_id: 4, role_id: 2 }]);
  });
});
