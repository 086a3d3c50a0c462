import { expect, it } from 'vitest';
import { skeletonOf, skeletonsLike } from './index.ts';

const isLike = (address: string, stored: string) => skeletonsLike(address).includes(skeletonOf(stored));

it.each([
  ['раypal@example.com', 'paypal@example.com'],
  ['paypaI@example.com', 'paypal@example.com'],
  ['paypa1@example.com', 'paypal@example.com'],
  ['аdmіn@example.com', 'admin@example.com'],
  ['АDМIN@example.com', 'admin@example.com'],
  ['admin@exarnple.com', 'admin@example.com'],
  ['adm\u0131n@example.com', 'admin@example.com'],
  ['admin@g00gle.com', 'Admin@google.com'],
  ['jim@example.com', 'JIM@example.com'],
  ['jіm@example.com', 'JIM@example.com'],
  // The letters an address in ASCII stands for.
  ['admin@xn--pple-43d.com', 'admin@apple.com'],
  ['a\u200bdmin@example.com', 'admin@example.com'],
])('%s looks like %s', (address, stored) => expect(isLike(address, stored)).toBe(true));

it.each([
  ['jo@example.com', 'joe@example.com'],
  ['jo@example.com', 'jo@example.org'],
  ['müller@example.com', 'muller@example.com'],
  ['ян@example.com', 'yan@example.com'],
])('%s does not look like %s', (address, stored) => expect(isLike(address, stored)).toBe(false));
