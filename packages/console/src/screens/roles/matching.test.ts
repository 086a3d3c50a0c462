import { describe, expect, it } from 'vitest';
import { isKnownComponent } from './matching.ts';

const known = [
  ...['', '*', '_schema/', '_schema/*', '_schema/Contact/', '_schema/Contact/*'],
  ...['_table/', '_table/*', '_table/Contact/', '_table/Contact/*', '_proc/', '_proc/*', '_proc/total'],
  ...['admin/', 'admin/*', 'admin/password'],
];

describe('a component that is there', () => {
  it.each([
    '',
    '*',
    '/',
    '_table',
    '_table/',
    '_table/*',
    '_table/contact',
    '/_table/CONTACT/',
    '_table/contact/*',
    '_table/contact/7',
    '_table/contact/7*',
    '_table/con*',
    '_ta*',
    '_schema/contact/id',
    '_proc/total',
    // Of resources that do not list what is in them only the name is known.
    'admin/5',
    'admin/*',
  ])('%j', (component) => expect(isKnownComponent(component, known)).toBe(true));
});

describe('a component that is not there', () => {
  it.each(['_table/contacts', '_table/contacts/*', '_table/cox*', '_tables/*', '_func/x', 'user', 'x*'])(
    '%j',
    (component) => expect(isKnownComponent(component, known)).toBe(false),
  );
});

it('nothing is said of a service that lists nothing', () => {
  expect(isKnownComponent('_table/x', [])).toBe(true);
  expect(isKnownComponent('anything/*', ['', '*'])).toBe(true);
});
