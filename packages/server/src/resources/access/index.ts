// `system/access/explain`: why a call of somebody is allowed or not. It finds the caller and decides with the functions
// the gateway uses, and puts their results into words (docs/operations.md, "Who may what"). Nothing is stored here.
import { Failure, fail } from '@sluice/contract';
import { answer, type Call, type Caller, type Reply } from '../../call/call.ts';
import { tokenUse } from '../../gateway/identify.ts';
import { verdictOf } from '../../gateway/verdict.ts';
import type { Identity } from '../../identity/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { AddressedService, Services } from '../../service/registry.ts';
import { buildExplanation, type CallOutcome, type Subject } from './explanation.ts';
import { type Question, readQuestion } from './question.ts';

export interface AccessParts {
  identity: Pick<Identity, 'findCaller' | 'directory'>;
  services: Pick<Services, 'find'>;
  limits: Pick<Limits, 'explain'>;
}

/** Answers a question about a call; for administrators alone, whatever roles give. */
export async function explainCall({ identity, services, limits }: AccessParts, call: Call): Promise<Reply> {
  if (!call.caller.user?.isAdmin) throw fail('access.adminOnly');
  const question = readQuestion(await call.body());
  const subject = await readSubject(identity.directory, question);
  const addressed = await services.find(question.service);
  const outcome = await decideCall(identity, question, addressed);
  const role = await findRole(identity.directory, question, subject, outcome.caller);
  const { baseUrl } = call;
  const { caller } = outcome;
  const address = { serviceId: addressed?.row.id, path: question.path, verb: question.verb };
  // A call that is refused anyway is not counted.
  const counted = caller && !outcome.refusal ? await limits.explain(caller, address) : [];
  return answer(buildExplanation(question, { ...subject, role }, { ...outcome, addressed, baseUrl, limits: counted }));
}

/** Decides a call as the gateway does, up to where its service would take over. */
async function decideCall(
  identity: AccessParts['identity'],
  { subjectIds, requestor, verb, service, path }: Question,
  addressed: AddressedService | undefined,
): Promise<Pick<CallOutcome, 'caller' | 'verdict' | 'refusal'>> {
  const caller = await identity
    .findCaller(subjectIds, { ...tokenUse(addressed, path, verb), requestor })
    .catch(failureOf);
  if (caller instanceof Failure) return { refusal: caller };
  const verdict = verdictOf({ caller, verb, service, path, addressed });
  return { caller, verdict, ...(verdict.refusal ? { refusal: verdict.refusal } : {}) };
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** The records the question names; a 404 for one that is not there. */
async function readSubject(people: AccessParts['identity']['directory'], { subjectIds }: Question): Promise<Subject> {
  const unknownRecord = (what: string, field: string, id: number) =>
    fail('access.questionUnknown', { what, field, id });
  const { userId, appId, roleId } = subjectIds;
  const person = userId === undefined ? undefined : await people.person(userId);
  if (userId !== undefined && !person) throw unknownRecord('person', 'user_id', userId);
  const app = appId === undefined ? undefined : await people.app(appId);
  if (appId !== undefined && !app) throw unknownRecord('app', 'app_id', appId);
  if (roleId !== undefined && !(await people.role(roleId))) throw unknownRecord('role', 'role_id', roleId);
  return { person, app };
}

/** The role that decided, or would have decided if the caller had not been refused before. */
async function findRole(
  people: AccessParts['identity']['directory'],
  { subjectIds }: Question,
  { person, app }: Subject,
  caller: Caller | undefined,
): Promise<Subject['role']> {
  if (subjectIds.roleId !== undefined) {
    const role = await people.role(subjectIds.roleId);
    return role && { role, from: 'question' };
  }
  const assigned = await (caller ? people.roleOf(caller.user, caller.app) : people.roleOf(person?.user, app?.app));
  return assigned && { role: assigned.role, from: assigned.isOwn ? 'user' : 'app' };
}
