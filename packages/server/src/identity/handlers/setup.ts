// `system/admin/setup`: the first administrator, made with the code printed at start (docs/design.md, Identity).
import { answer } from '../../call/call.ts';
import type { Identity } from '../index.ts';
import { type AccountOperations, readFields, readTextField } from './request.ts';

export const setupOperations = (identity: Pick<Identity, 'setUp'>): AccountOperations => ({
  POST: {
    summary: 'Make the first administrator',
    async handle(call) {
      const fields = await readFields(call);
      const admin = {
        email: readTextField(fields, 'email').trim(),
        password: readTextField(fields, 'password'),
        first_name: readTextField(fields, 'first_name').trim(),
        last_name: readTextField(fields, 'last_name').trim(),
      };
      return answer(await identity.setUp(readTextField(fields, 'code'), admin, call), 201);
    },
  },
});
