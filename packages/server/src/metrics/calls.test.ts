import { describe, expect, it } from 'vitest';
import { bucketBounds, countCalls } from './calls.ts';

const endedOf = (calls: ReturnType<typeof countCalls>, service: string, verb = 'GET') =>
  Object.fromEntries(calls.all().get(service)?.get(verb)?.endedByStatus ?? []);

describe('calls', () => {
  it('are counted by service, verb and how they ended', () => {
    const calls = countCalls((name) => (name === 'shop' ? {} : undefined));
    for (let i = 0; i < 6; i++) calls.begin();
    expect(calls.inFlight()).toBe(6);
    calls.end('shop', 'GET', 200, 3);
    calls.end('shop', 'GET', 200, 3);
    calls.end('shop', 'GET', 'aborted', 3);
    calls.end('shop', 'POST', 400, 3);
    calls.end('nobody', 'GET', 404, 3);
    expect(calls.inFlight()).toBe(1);
    expect(endedOf(calls, 'shop')).toEqual({ 200: 2, aborted: 1 });
    expect(endedOf(calls, 'shop', 'POST')).toEqual({ 400: 1 });
    expect(endedOf(calls, '')).toEqual({ 404: 1 });
    expect([...calls.all().keys()]).toEqual(['', 'shop']);
  });

  it.each([
    [0, 0],
    [1, 0],
    [1.001, 1],
    [30_000, bucketBounds.length - 1],
    [30_001, bucketBounds.length],
    [9e9, bucketBounds.length],
  ])('of %f ms fall into bucket %i', (milliseconds, bucket) => {
    const calls = countCalls(() => ({}));
    calls.end('shop', 'GET', 200, milliseconds);
    const { buckets, seconds } = calls.all().get('shop')!.get('GET')!;
    expect(buckets.flatMap((count, at) => (count === 0 ? [] : [[at, count]]))).toEqual([[bucket, 1]]);
    expect(seconds).toBeCloseTo(milliseconds / 1000);
  });

  it('of names that are none, or too many, make no figures of their own', () => {
    const counts = countCalls(() => ({}));
    for (let i = 0; i < 5_000; i++) counts.end(`s${i}`, 'GET', 200, 1);
    expect(counts.all().size).toBe(1_001);
    expect(endedOf(counts, '')).toEqual({ 200: 4_000 });
    expect(endedOf(counts, 's999')).toEqual({ 200: 1 });

    const unknown = countCalls(() => undefined);
    for (let i = 0; i < 5_000; i++) unknown.end(`s${i}`, 'GET', 404, 1);
    expect([...unknown.all().keys()]).toEqual(['']);
  });

  it('wait for nobody who has to look a service up first', async () => {
    const calls = countCalls(() => Promise.reject(new Error('the store is away')));
    calls.end('shop', 'GET', 503, 1);
    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(endedOf(calls, '')).toEqual({ 503: 1 });
  });
});
