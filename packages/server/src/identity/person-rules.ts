// Checks what people write about themselves: by the rules of `system/user` (contract/sessions-and-accounts.md §8), read and
// checked as the record engine does.
import { user as declaration, fail } from '@sluice/contract';
import type { RecordInput } from '../call/payload.ts';
import {
  checkLengths,
  checkRules,
  fieldLabel,
  isEmpty,
  readInput,
  type ValidationMessages,
} from '../resource/fields.ts';
import { type Db, folded } from '../store/index.ts';
import { normalizeNewEmail } from './addresses.ts';
import { isHashable, maxPasswordBytes } from './passwords.ts';

/** Throws the 400 "Invalid data supplied. …" when there are problems. */
export function assertNoProblems(problems: ValidationMessages): void {
  const messages = Object.values(problems).flat();
  if (messages.length > 0) throw fail('record.invalid', { messages }, { context: problems });
}

/**
 * Reads and converts the fields of a person from `input`, and collects what is wrong with them. `stored` is the person in
 * the store, who may keep the values they have.
 */
export async function readPerson(
  db: Db,
  input: RecordInput,
  stored: { id: number; email: string; is_sys_admin: number } | undefined,
): Promise<{ values: RecordInput; problems: ValidationMessages }> {
  const problems: ValidationMessages = {};
  const addProblem = (field: string, message: string) => {
    problems[field] = [...(problems[field] ?? []), message];
  };
  const values = readInput(declaration, input, addProblem);
  if (checkLengths(declaration, values, stored, addProblem)) assertNoProblems(problems);
  normalizeNewEmail(values, stored?.email);
  checkRules(declaration, values, false, addProblem, stored);
  for (const field of ['email', 'username'] as const) {
    const value = values[field];
    if (typeof value === 'string' && value !== '' && !problems[field] && (await isTaken(db, field, value, stored?.id)))
      addProblem(field, `The ${fieldLabel(field)} has already been taken.`);
  }
  const appId = values.default_app_id;
  if (!isEmpty(appId) && !(await appExists(db, Number(appId))))
    addProblem('default_app_id', 'The selected default app id is invalid.');
  if (typeof values.security_answer === 'string' && !isHashable(values.security_answer))
    addProblem('security_answer', `The security answer may not be greater than ${maxPasswordBytes} characters.`);
  return { values, problems };
}

/** The problems of a new password, in every flow that sets one (contract/sessions-and-accounts.md §5). */
export function findPasswordProblems(password: string, min: number): ValidationMessages {
  if (Array.from(password).length < min) return { password: [`The password must be at least ${min} characters.`] };
  if (!isHashable(password))
    return { password: [`The password may not be greater than ${maxPasswordBytes} characters.`] };
  return {};
}

async function isTaken(db: Db, field: 'username' | 'email', value: string, id: number | undefined): Promise<boolean> {
  const rows = await db.selectFrom('user').select('id').where(`${field}_folded`, '=', folded(value)).limit(2).execute();
  return rows.some((row) => row.id !== id);
}

async function appExists(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('app').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
