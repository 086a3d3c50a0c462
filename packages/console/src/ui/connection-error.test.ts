import { describe, expect, it } from 'vitest';
import { connectionErrorOf } from './connection-error.ts';
import { describeError } from './describe-error.ts';

const connection = { service_id: 7, address: 'db:5432', code: '28P01', text: 'password authentication failed' };

describe('what the server tells of a connection', () => {
  it.each([
    [connection, 'db:5432 · 28P01 · password authentication failed'],
    [{ ...connection, code: 'ECONNREFUSED', text: 'connect ECONNREFUSED 10.0.0.1:5432' }, 'db:5432 · ECONNREFUSED'],
    [{ ...connection, code: null }, 'db:5432 · password authentication failed'],
    [{ service_id: null, address: null, code: null, text: null }, ''],
  ])('is a line: %o', (context, line) => {
    expect(connectionErrorOf({ connection: context })).toEqual({ line, serviceId: context.service_id });
  });

  it.each([null, undefined, 'text', [], {}, { connection: null }, { connection: 'x' }, { host: ['Wrong.'] }])(
    'is nothing in %j',
    (context) => expect(connectionErrorOf(context)).toBeNull(),
  );

  it('stands below our words, and names the service', () => {
    const error = { message: 'Refused.', context: { connection } };
    expect(describeError(error)).toMatchObject({
      messages: ['Refused.', 'db:5432 · 28P01 · password authentication failed'],
      serviceId: 7,
    });
    expect(describeError({ message: 'Refused.' })).toMatchObject({ messages: ['Refused.'], serviceId: null });
  });
});
