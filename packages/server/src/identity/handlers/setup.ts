// `system/admin/setup`: the first administrator, made by whoever has the code printed at start (docs/design.md, Identity).
import { answer } from '../../call/call.ts';
import type { Identity } from '../index.ts';
import { type AccountHandler, byVerb, fieldsOf, textOf } from './request.ts';

export function setupHandler(identity: Pick<Identity, 'setUp'>): AccountHandler {
  return byVerb('setup', {
    async POST(call) {
      const fields = await fieldsOf(call);
      const admin = {
        email: textOf(fields, 'email').trim(),
        password: textOf(fields, 'password'),
        first_name: textOf(fields, 'first_name').trim(),
        last_name: textOf(fields, 'last_name').trim(),
      };
      return answer(await identity.setUp(textOf(fields, 'code'), admin, call), 201);
    },
  });
}
