// `system/admin/setup`: the first administrator, made by whoever has the code printed at start (docs/design.md, Identity).
import { answer } from '../../call/call.ts';
import type { Identity } from '../index.ts';
import { type AccountOperations, fieldsOf, textOf } from './request.ts';

export const setupOperations = (identity: Pick<Identity, 'setUp'>): AccountOperations => ({
  POST: {
    summary: 'Make the first administrator',
    async handle(call) {
      const fields = await fieldsOf(call);
      const admin = {
        email: textOf(fields, 'email').trim(),
        password: textOf(fields, 'password'),
        first_name: textOf(fields, 'first_name').trim(),
        last_name: textOf(fields, 'last_name').trim(),
      };
      return answer(await identity.setUp(textOf(fields, 'code'), admin, call), 201);
    },
  },
});
