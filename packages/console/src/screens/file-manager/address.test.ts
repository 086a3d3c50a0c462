import { expect, it } from 'vitest';
import { placeOfOldAddress } from './address.ts';

it.each([
  ['?path=/&allowroot=true', { service: 'files', folder: '', root: '' }],
  ['', { service: 'files', folder: '', root: '' }],
  ['?path=/logs/2025/&allowroot=true', { service: 'logs', folder: '2025', root: '' }],
  ['?path=/files/docs/&allowroot=false', { service: 'files', folder: 'docs', root: 'docs' }],
  ['?path=docs/in/', { service: 'files', folder: 'docs/in', root: '' }],
])('the older address %s leads to %j', (search, place) =>
  expect(placeOfOldAddress(search, ['files', 'logs'])).toEqual(place),
);
