// `platform.api`: the calls of a script, made inside the call that it runs in, as its caller (contract §4).
import { Failure, fail, type MaybePromise, type Verb, verbs, wireError } from '@sluice/contract';
import { parseAddress, queryOf } from '../call/address.ts';
import type { Call, Reply } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import { readValue } from '../call/reply.ts';
import type { InnerRequest } from '../gateway/inner-call.ts';
import { scriptBudget } from './budget.ts';
import type { ApiRequest, ApiResponse } from './engine.ts';

/** Bytes of an answer to a script. */
const maxAnswer = 10 * 1024 * 1024;

export type CallInside = (call: Call, request: InnerRequest) => MaybePromise<Reply>;

/** Makes a call of a script; one that fails is an answer. */
export async function callOfScript(call: Call, request: ApiRequest, callInside: CallInside): Promise<ApiResponse> {
  const dryRun = call.state.get(scriptBudget)?.dryRun;
  const make = () => makeCall(call, request, callInside);
  try {
    return await (dryRun ? dryRun.call(request, make) : make());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return apiResponse(error.status, { error: wireError(error) }, 'application/json');
  }
}

async function makeCall(call: Call, request: ApiRequest, callInside: CallInside): Promise<ApiResponse> {
  const reply = await callInside(call, readRequest(request));
  const content = await readValue(reply, maxAnswer);
  const type = 'type' in reply.body ? reply.body.type : 'application/json';
  return apiResponse(reply.status ?? 200, content, type, reply.headers);
}

function apiResponse(
  status: number,
  content: unknown,
  type: string,
  headers: Record<string, string> = {},
): ApiResponse {
  const isText = typeof content === 'string';
  return {
    status_code: status,
    content,
    content_type: type,
    format: isText ? 0 : 201,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    text: isText ? content : (JSON.stringify(content) ?? ''),
  };
}

/** `db/_table/x?limit=1`, with `/api/v2/` before it or without. */
function readRequest({ verb, path, payload, options }: ApiRequest): InnerRequest {
  const upper = verb.toUpperCase() as Verb;
  if (!verbs.includes(upper)) throw fail('http.verbNotSupported', { verb: upper, path, service: 'api' });
  if (/^https?:\/\//i.test(path)) throw fail('script.noOutside');
  const address = parseAddress(`/api/v2/${path.replace(/^\/*(api\/v[0-9.]+\/)?\/*/i, '')}`);
  const { headers, parameters } = readOptions(options);
  const query = new Map(address.query.names().map((name) => [name, address.query.get(name) ?? '']));
  for (const [name, value] of textsOf(parameters)) query.set(name, value);
  return {
    ...{ verb: upper, service: address.service, path: address.path, query: queryOf(query) },
    headers: new Map(textsOf(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(payload === undefined || payload === null ? {} : { payload }),
    requestor: 'SCRIPT',
  };
}

/** `{headers, parameters}`; without either, all of it is headers, or curl options, of which calls inside have none. */
function readOptions(options: unknown): { headers?: unknown; parameters?: unknown } {
  if (!isRecord(options)) return {};
  if (isRecord(options.headers) || isRecord(options.parameters)) return options;
  return Object.keys(options).some((name) => name.startsWith('CURLOPT_')) ? {} : { headers: options };
}

const textsOf = (values: unknown): [string, string][] =>
  isRecord(values)
    ? Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ])
    : [];
