// The error catalogue: one file an area, gathered here. To add an error, add an entry to its area's file.
import { accessErrors } from './access.ts';
import { accountErrors } from './account.ts';
import { appErrors } from './app.ts';
import { cacheErrors } from './cache.ts';
import { callErrors } from './call.ts';
import { type ErrorDefinition, Failure, type FailureOptions } from './catalogue.ts';
import { corsErrors } from './cors.ts';
import { databaseErrors } from './database.ts';
import { definitionErrors } from './definition.ts';
import { directoryErrors } from './directory.ts';
import { docsErrors } from './docs.ts';
import { fetchErrors } from './fetch.ts';
import { fieldErrors } from './field.ts';
import { fileErrors } from './file.ts';
import { filterErrors } from './filter.ts';
import { graphqlErrors } from './graphql.ts';
import { httpErrors } from './http.ts';
import { importErrors } from './import.ts';
import { jobErrors } from './job.ts';
import { limitErrors } from './limit.ts';
import { logErrors } from './log.ts';
import { mailErrors } from './mail.ts';
import { mcpErrors } from './mcp.ts';
import { messageErrors } from './message.ts';
import { packageErrors } from './package.ts';
import { pageErrors } from './page.ts';
import { lookupErrors, personErrors } from './person.ts';
import { providerErrors } from './provider.ts';
import { pushErrors } from './push.ts';
import { recordErrors } from './record.ts';
import { relatedErrors } from './related.ts';
import { remoteErrors } from './remote.ts';
import { repositoryErrors } from './repository.ts';
import { routineErrors } from './routine.ts';
import { samlErrors } from './saml.ts';
import { schemaErrors } from './schema.ts';
import { scriptErrors } from './script.ts';
import { serviceErrors } from './service.ts';
import { sessionErrors } from './session.ts';
import { soapErrors } from './soap.ts';
import { storeErrors } from './store.ts';
import { tableErrors } from './table.ts';
import { validationErrors } from './validation.ts';

export const errors = {
  ...httpErrors,
  ...callErrors,
  ...accessErrors,
  ...sessionErrors,
  ...providerErrors,
  ...samlErrors,
  ...directoryErrors,
  ...storeErrors,
  ...accountErrors,
  ...appErrors,
  ...corsErrors,
  ...recordErrors,
  ...personErrors,
  ...lookupErrors,
  ...filterErrors,
  ...pageErrors,
  ...fieldErrors,
  ...databaseErrors,
  ...tableErrors,
  ...relatedErrors,
  ...routineErrors,
  ...schemaErrors,
  ...validationErrors,
  ...serviceErrors,
  ...definitionErrors,
  ...fileErrors,
  ...jobErrors,
  ...packageErrors,
  ...importErrors,
  ...limitErrors,
  ...fetchErrors,
  ...repositoryErrors,
  ...remoteErrors,
  ...soapErrors,
  ...cacheErrors,
  ...logErrors,
  ...mailErrors,
  ...messageErrors,
  ...pushErrors,
  ...scriptErrors,
  ...docsErrors,
  ...mcpErrors,
  ...graphqlErrors,
};

export type ErrorKey = keyof typeof errors;
type ParamsOf<K extends ErrorKey> = (typeof errors)[K]['message'] extends (params: infer P) => string
  ? [params: P, options?: FailureOptions]
  : [params?: undefined, options?: FailureOptions];

/** Makes the error of the catalogue named `key`; throw it. The cause is kept for the log, never for the caller. */
export function fail<K extends ErrorKey>(key: K, ...[params, options]: ParamsOf<K>): Failure {
  const entry: ErrorDefinition = errors[key];
  const message = typeof entry.message === 'string' ? entry.message : entry.message(params as never);
  const status = options?.status ?? entry.status;
  const code = options?.code ?? entry.code ?? status;
  return new Failure(key, status, message, { ...options, code, ...(entry.hint ? { hint: entry.hint } : {}) });
}

/** The error object of the wire, without the outer `error` key (contract/http-basics.md §8). */
export interface WireError {
  code: number | string;
  context: unknown;
  message: string;
  status_code: number;
}

/** The four keys every error shows, also as an item inside a batch. */
export function wireError(failure: Failure): WireError {
  return { code: failure.code, context: failure.context, message: failure.message, status_code: failure.status };
}

export { type ErrorDefinition, Failure, type FailureOptions };
