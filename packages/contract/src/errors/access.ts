import { errorsOfArea } from './catalogue.ts';

/** The refusal chain of the gate (contract/http-basics.md §4) and of internal calls (contract/role-access.md §3). */
export const accessErrors = errorsOfArea('access', {
  noCredentials: {
    status: 400,
    message:
      'No session token (JWT) or API Key detected in request. Please send in X-DreamFactory-Session-Token and/or X-DreamFactory-API-Key request header. You can also use URL query parameters session_token and/or api_key.',
  },
  noKey: {
    status: 400,
    message:
      "No API Key provided. Please provide a valid API Key using X-DreamFactory-API-Key request header or 'api_key' url query parameter.",
  },
  noToken: {
    status: 400,
    message:
      "No session token (JWT) provided. Please provide a valid JWT using X-DreamFactory-Session-Token request header or 'session_token' url query parameter.",
  },
  noRole: { status: 403, message: 'Role not found. A role may not be assigned to you or your application.' },
  roleInactive: {
    status: 403,
    message:
      'Access Forbidden. The role assigned to you or your application or the default role of your application is not active.',
  },
  notAuthenticated: { status: 401, message: 'Unauthorized. User is not authenticated.' },
  denied: {
    status: 403,
    message: (p: { verb: string; component: string; service: string }) => `Access Forbidden. ${deniedText(p)}`,
  },
  deniedInside: {
    status: 403,
    message: (p: { verb: string; component: string; service: string }) => deniedText(p),
  },
  keyOnly: {
    status: 403,
    message: (p: { parameter: string; field: string }) =>
      `Field '${p.field}' cannot stand in ${p.parameter}: this user's role may not read the records, which are named by their key only then.`,
  },
  filterInvalid: {
    status: 500,
    message: 'Invalid server-side filter configuration detected.',
    hint: "An administrator has to correct the record filters of the caller's role: each needs a field and a known operator.",
  },
  recordDenied: { status: 403, message: 'Denied access to some of the requested fields.' },
  question: {
    status: 400,
    message: (p: { field: string; problem: string }) => `The question can not be answered: ${p.field} ${p.problem}`,
  },
  questionUnknown: {
    status: 404,
    message: (p: { what: string; id: number; field: string }) =>
      `There is no ${p.what} with the id ${p.id}, which ${p.field} names.`,
  },
  exceedsOwn: {
    status: 403,
    message: (p: { service: string | null; component: string; verbs: string[]; isUnfiltered: boolean }) => {
      const where = p.service === null ? 'all services' : `service '${p.service}'`;
      const what = `${p.verbs.join(', ')} on component '${p.component}' of ${where}`;
      return p.isUnfiltered
        ? `Nobody can give more than their own role gives: ${what} comes with a record filter in yours, which has to be kept.`
        : `Nobody can give more than their own role gives: ${what} is missing in yours.`;
    },
  },
  tooManyRows: {
    status: 403,
    message: (p: { limit: number }) =>
      `Only an administrator may change or give a role of more than ${p.limit} rows of access.`,
  },
  tooManyComparisons: {
    status: 403,
    message:
      'Only an administrator may give so many rows of access in one call: each is compared with all that its giver holds.',
  },
  roleOfApps: {
    status: 403,
    message:
      'The role gives more than yours, and whoever has the key of an app that has it holds it: only an administrator may take it from its apps.',
  },
  adminOnly: { status: 401, message: 'You are not authorized to perform this action.' },
});

function deniedText(p: { verb: string; component: string; service: string }): string {
  const what = p.component === '' ? 'service' : `component '${p.component}' of service`;
  return `${p.verb} access to ${what} '${p.service}' is not allowed by this user's role.`;
}
