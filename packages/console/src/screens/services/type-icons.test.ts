import { serviceGroups } from '@sluice/contract';
import { IconDatabase, IconFeather, IconPlugConnected } from '@tabler/icons-react';
import { expect, it } from 'vitest';
import { iconOfType } from '../../ui/index.ts';

it('a service type has its own picture, that of its group, or a plug', () => {
  expect(iconOfType('sqlite', 'Database')).toBe(IconFeather);
  expect(iconOfType('firebird', 'Database')).toBe(IconDatabase);
  expect(iconOfType('constructor', 'toString')).toBe(IconPlugConnected);
  expect(iconOfType(null)).toBe(IconPlugConnected);
});

it.each(serviceGroups)('the group %s has a picture', (group) => {
  expect(iconOfType('unknown', group)).not.toBe(IconPlugConnected);
});
