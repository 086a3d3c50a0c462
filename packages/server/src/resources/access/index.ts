// `system/access/explain`: why a call of somebody is allowed or not. It finds the caller and decides with the functions
// the gateway uses, and puts what they say into words (docs/operations.md, "Who may what"). Nothing is stored here.
import { Failure, fail } from '@sluice/contract';
import { answer, type Call, type Caller, type Reply } from '../../call/call.ts';
import { tokenUse } from '../../gateway/identify.ts';
import { verdictOf } from '../../gateway/verdict.ts';
import type { Identity } from '../../identity/index.ts';
import type { AddressedService, Services } from '../../service/registry.ts';
import { explanation, type Found, type Subject } from './explanation.ts';
import { type Question, readQuestion } from './question.ts';

export interface AccessParts {
  identity: Pick<Identity, 'asked' | 'people'>;
  services: Pick<Services, 'addressed'>;
}

/** Answers a question about a call; for administrators alone, whatever roles give. */
export async function explainCall({ identity, services }: AccessParts, call: Call): Promise<Reply> {
  if (!call.caller.user?.isAdmin) throw fail('access.adminOnly');
  const question = readQuestion(await call.body());
  const subject = await subjectOf(identity.people, question);
  const addressed = await services.addressed(question.service);
  const found = await decisionOn(identity, question, addressed);
  const role = await roleOf(identity.people, question, subject, found.caller);
  const { baseUrl } = call;
  return answer(explanation(question, { ...subject, role }, { ...found, addressed, baseUrl }));
}

/** Decides a call as the gateway does, up to where its service would take over. */
async function decisionOn(
  identity: AccessParts['identity'],
  { asked, requestor, verb, service, path }: Question,
  addressed: AddressedService | undefined,
): Promise<Pick<Found, 'caller' | 'verdict' | 'refusal'>> {
  const caller = await identity.asked(asked, { ...tokenUse(addressed, path, verb), requestor }).catch(ourFailure);
  if (caller instanceof Failure) return { refusal: caller };
  const verdict = verdictOf({ caller, verb, service, path, addressed });
  return { caller, verdict, ...(verdict.refusal ? { refusal: verdict.refusal } : {}) };
}

function ourFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** The records the question names; a 404 for one that is not there. */
async function subjectOf(people: AccessParts['identity']['people'], { asked }: Question): Promise<Subject> {
  const unknown = (what: string, field: string, id: number) => fail('access.questionUnknown', { what, field, id });
  const { userId, appId, roleId } = asked;
  const person = userId === undefined ? undefined : await people.person(userId);
  if (userId !== undefined && !person) throw unknown('person', 'user_id', userId);
  const app = appId === undefined ? undefined : await people.app(appId);
  if (appId !== undefined && !app) throw unknown('app', 'app_id', appId);
  if (roleId !== undefined && !(await people.role(roleId))) throw unknown('role', 'role_id', roleId);
  return { person, app };
}

/** The role that was decided by, or would have been had the caller not been refused before. */
async function roleOf(
  people: AccessParts['identity']['people'],
  { asked }: Question,
  { person, app }: Subject,
  caller: Caller | undefined,
): Promise<Subject['role']> {
  if (asked.roleId !== undefined) {
    const role = await people.role(asked.roleId);
    return role && { role, from: 'question' };
  }
  const found = await (caller ? people.roleOf(caller.user, caller.app) : people.roleOf(person?.user, app?.app));
  return found && { role: found.role, from: found.isOwn ? 'user' : 'app' };
}
