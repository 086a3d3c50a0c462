import { errorsOfArea } from './catalogue.ts';

/** API docs (contract/services-other.md §9). */
export const docsErrors = errorsOfArea('docs', {
  unknown: { status: 404, message: (p: { service: string }) => `Could not find a service for ${p.service}` },
  noAccess: {
    status: 403,
    message: (p: { service: string }) => `You do not have access to API Docs for the requested service ${p.service}.`,
  },
  none: {
    status: 503,
    message: (p: { service: string }) => `There are no defined API Docs for the requested service ${p.service}.`,
  },
  version: {
    status: 400,
    message: (p: { version: string }) => `There are no API Docs in version '${p.version}' of OpenAPI.`,
    hint: 'openapi=3.0, which is the default, or openapi=3.1.',
  },
});
