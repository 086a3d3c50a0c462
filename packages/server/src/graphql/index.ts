// GraphQL over the tables of services: each field of a query or mutation is one call of the API, with the rights, the record filters,
// the scripts and the limits of such a call (contract/services-other.md §10, adr/0036). http/graphql.ts is its address.
import { Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLSchema,
  getOperationAST,
  Kind,
  Lexer,
  NoFragmentCyclesRule,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  Source,
  TokenKind,
  validate,
} from 'graphql';
import type { Call, Payload } from '../call/call.ts';
import { jsonPieces } from '../call/formats/json.ts';
import { isRecord } from '../call/payload.ts';
import type { Platform } from '../gateway/platform.ts';
import { Catalog } from './catalog.ts';
import { graphqlError, RequestContext } from './context.ts';
import { checkIntrospection, type Fragments, fullSchema, inTurn, introspect } from './introspection.ts';
import { schemaOf } from './schema.ts';
import { collect } from './selection.ts';

/** Requests that come together. */
const maxBatch = 10;
/** Tokens of a query, and levels of it. */
const maxTokens = 2_000;
const maxDepth = 60;
/** How often one name stands in a selection: what is checked of each two of them grows with its square. */
const maxRepeated = 20;
/** Fields of an operation, each of which is a call. */
const maxRootFields = 20;
/** Errors of an answer, and characters of what the library says of one: it repeats names of the query. */
const maxErrors = 20;
const maxText = 2_000;
/** Bytes of an answer: of records, and of a schema. */
const maxAnswer = 4 * 1024 * 1024;
const maxSchemaAnswer = 32 * 1024 * 1024;

export interface GraphqlAnswer {
  status: number;
  /** JSON. */
  text: string;
}

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

/** Answers a request, or a list of them, in order. A request that is none fails; what is wrong with a query is in its answer. */
export async function answerGraphql(message: Call, payload: Payload, platform: Platform): Promise<GraphqlAnswer> {
  if (!Array.isArray(payload)) {
    const result = await answerOne(message, requestOf(payload), platform);
    return { status: statusOf([result]), text: result.text };
  }
  if (payload.length === 0 || payload.length > maxBatch)
    throw fail('graphql.request', { problem: `a list has 1 to ${maxBatch}` });
  const requests = payload.map(requestOf);
  const results: Answered[] = [];
  let length = 0;
  for (const request of requests) {
    const result = await answerOne(message, request, platform);
    length += result.text.length;
    if (length > maxSchemaAnswer) throw fail('call.answerTooLarge', { limit: maxSchemaAnswer });
    results.push(result);
  }
  return { status: statusOf(results), text: `[${results.map(({ text }) => text).join(',')}]` };
}

interface Answered {
  text: string;
  isRefused: boolean;
}

/** A refusal of any part is one of the whole, as older servers have it. */
const statusOf = (results: readonly Answered[]): number => (results.some(({ isRefused }) => isRefused) ? 403 : 200);

function requestOf(payload: unknown): GraphqlRequest {
  const refuse = (problem: string) => fail('graphql.request', { problem });
  if (!isRecord(payload)) throw refuse('it is no object');
  const { query, variables, operationName } = payload;
  if (typeof query !== 'string' || query === '') throw refuse('it has no query');
  if (isGiven(variables) && !isRecord(variables)) throw refuse('its variables are no object');
  if (isGiven(operationName) && typeof operationName !== 'string') throw refuse('its operationName is no text');
  return {
    query,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

async function answerOne(message: Call, request: GraphqlRequest, platform: Platform): Promise<Answered> {
  let result: ExecutionResult;
  let limit = maxAnswer;
  try {
    const document = parseQuery(request.query);
    const operation = operationOf(document, request, message);
    const names = mentions(document);
    if (names.has('__schema') || names.has('__type')) {
      limit = maxSchemaAnswer;
      result = await answerSchema(message, document, operation, request, platform);
    } else result = await answerRecords(message, document, operation, names, request, platform);
    result = { ...result, ...(result.errors ? { errors: result.errors.slice(0, maxErrors) } : {}) };
    return await written(result, limit, message, platform);
  } catch (error) {
    if (error instanceof Failure && error.status === 405) throw error;
    if (!(error instanceof GraphQLError)) platform.metrics.countFailure(error);
    return written({ errors: [errorOf(error, message, platform)] }, limit, message, platform);
  }
}

// ---- queries ----

/** Throws for a text that is none, is too long, or nested too deep for those who walk through it. */
function parseQuery(query: string): DocumentNode {
  const lexer = new Lexer(new Source(query));
  let depth = 0;
  for (let count = 0; ; count++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF || count > maxTokens) break;
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L) depth += 1;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R) depth -= 1;
    if (depth > maxDepth) throw fail('graphql.tooDeep', { limit: maxDepth });
  }
  return parse(query, { maxTokens });
}

function operationOf(document: DocumentNode, request: GraphqlRequest, message: Call): OperationDefinitionNode {
  const operation = getOperationAST(document, request.operationName);
  if (!operation) throw new GraphQLError('The query has no operation, or several and the request names none of them.');
  if (message.verb === 'GET' && operation.operation !== 'query')
    throw fail('graphql.mutationByGet', undefined, { allow: ['POST'] });
  return operation;
}

/** All names of fields in a document. Throws where one stands in a selection too often. */
function mentions(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (selections: readonly SelectionNode[], counts: Map<string, number>): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet.selections, counts);
        continue;
      }
      const key = (selection.alias ?? selection.name).value;
      const count = (counts.get(key) ?? 0) + 1;
      if (count > maxRepeated) throw fail('graphql.repeated', { name: key.slice(0, 100), limit: maxRepeated });
      counts.set(key, count);
      names.add(selection.name.value);
      visit(selection.selectionSet?.selections ?? [], new Map());
    }
  };
  for (const definition of document.definitions)
    if ('selectionSet' in definition) visit(definition.selectionSet.selections, new Map());
  return names;
}

const catalogOf = ({ caller }: Call, platform: Platform): Catalog =>
  new Catalog({ ...platform.services, of: platform.definitions.of }, caller);

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

async function answerRecords(
  message: Call,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  names: ReadonlySet<string>,
  { variables: variableValues, operationName }: GraphqlRequest,
  platform: Platform,
): Promise<ExecutionResult> {
  const schema = await schemaOf(names, catalogOf(message, platform));
  await pause();
  const errors = validate(schema, document, undefined, { maxErrors });
  if (errors.length > 0) return { errors };
  checkRootFields(operation, fragmentsOf(document));
  const contextValue = new RequestContext(message, platform);
  return execute({ schema, document, operationName, variableValues, contextValue });
}

/** Aliases count, too; what `@skip` leaves out, as if it were there. */
function checkRootFields(operation: OperationDefinitionNode, fragments: Fragments): void {
  const fields = collect([{ ...operation, kind: Kind.FIELD } as never], { fragments, variableValues: {} }, true);
  const keys = new Set([...fields.values()].flat().map(({ alias, name }) => (alias ?? name).value));
  if (keys.size > maxRootFields) throw fail('graphql.tooManyRootFields', { limit: maxRootFields });
}

const emptySchema = new GraphQLSchema({ assumeValid: true });

async function answerSchema(
  message: Call,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables: variableValues, operationName }: GraphqlRequest,
  platform: Platform,
): Promise<ExecutionResult> {
  // Fragments in circles are refused here, before anything walks through them.
  const shape = validate(emptySchema, document, [NoFragmentCyclesRule], { maxErrors });
  if (shape.length > 0) return { errors: shape };
  checkIntrospection(operation, fragmentsOf(document));
  return inTurn(platform, async () => {
    if (message.signal.aborted) return {};
    const schema = await fullSchema(catalogOf(message, platform), platform);
    const errors = validate(schema, document, undefined, { maxErrors });
    return errors.length > 0 ? { errors } : introspect({ schema, document, operationName, variableValues });
  });
}

// ---- answers ----

/** The text of a result. Throws nothing: what is too long becomes an answer that says so. */
async function written(
  { data, errors }: ExecutionResult,
  limit: number,
  message: Call,
  platform: Platform,
): Promise<Answered> {
  const shown = errors?.map((error) => errorOf(error, message, platform).toJSON());
  const isRefused = shown?.some(({ extensions }) => extensions?.status === 401 || extensions?.status === 403) ?? false;
  const texts: string[] = [];
  let size = 0;
  for (const piece of jsonPieces({ ...(data === undefined ? {} : { data }), ...(shown ? { errors: shown } : {}) })) {
    size += Buffer.byteLength(piece);
    if (size > limit) {
      const error = graphqlError(fail('call.answerTooLarge', { limit }), message);
      return { text: JSON.stringify({ errors: [error.toJSON()] }), isRefused: false };
    }
    texts.push(piece);
    // Nobody waits for it any more.
    if (message.signal.aborted) return { text: '', isRefused };
    await pause();
  }
  return { text: texts.join(''), isRefused };
}

/** An error as callers see it; of one that is ours, that it happened. */
function errorOf(error: unknown, message: Call, platform: Platform): GraphQLError {
  if (error instanceof Failure) return graphqlError(error, message);
  if (!(error instanceof GraphQLError)) return internalError(error, message, platform);
  const { originalError: cause, extensions } = error;
  // Null in place of what is never null is for callers to know: a script may have answered it.
  if (cause && !(cause instanceof GraphQLError) && !/^Cannot return null/.test(cause.message))
    return located(internalError(cause, message, platform), error);
  if (extensions.status !== undefined) return error;
  return new GraphQLError(error.message.slice(0, maxText), {
    ...{ nodes: error.nodes, source: error.source, positions: error.positions, path: error.path },
    extensions: { code: 400, status: 400, context: null },
  });
}

const located = ({ message, extensions }: GraphQLError, { nodes, path }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes, path, extensions });

function internalError(error: unknown, message: Call, { log }: Platform): GraphQLError {
  if (!message.signal.aborted) log.error({ reqId: message.id, err: error }, 'unexpected error');
  return graphqlError(fail('http.internal'), message);
}
