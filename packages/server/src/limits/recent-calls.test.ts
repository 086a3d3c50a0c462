import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { parseAddress } from '../call/address.ts';
import { createRecentCalls } from './recent-calls.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapSize = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

it('abuse: long parameters of the calls that are remembered are not', () => {
  const recent = createRecentCalls();
  const before = heapSize();
  for (let call = 0; call < 2_000; call++) {
    // As it comes from the network: one flat text.
    const target = Buffer.from(`/api/v2/shop/_table/product/${call}?filter=${'x'.repeat(15_000)}`).toString('latin1');
    const { path } = parseAddress(target);
    recent.add({ userId: 1, roleId: 1, serviceId: 1, path, verb: 'GET' });
  }
  // All of them would be 30 MB.
  expect(heapSize() - before).toBeLessThan(8_000_000);
  expect(recent.all()).toHaveLength(2_000);
  expect(recent.all()[1_999]?.path).toBe('_table/product/1999');
});
