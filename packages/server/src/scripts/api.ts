// `platform.api`: the calls of a script (contract §4). Those inside are made in the call that it runs in, as its caller, whatever
// address that came by.
import { Failure, fail, type MaybePromise, type Verb, verbs, wireError } from '@sluice/contract';
import { type Address, parseAddress, queryOf } from '../call/address.ts';
import type { Call, Reply } from '../call/call.ts';
import { stringifyInput } from '../call/payload.ts';
import { readValue } from '../call/reply.ts';
import type { SendOutside } from '../fetch/open.ts';
import type { InnerRequest } from '../gateway/inner-call.ts';
import { type ApiOptions, readApiOptions } from './api-options.ts';
import { scriptBudget } from './budget.ts';
import type { ApiRequest, ApiResponse } from './engine.ts';
import { callOutside, isOutside } from './outside.ts';

/** Bytes of an answer to a script. */
const maxAnswer = 10 * 1024 * 1024;

export type CallInside = (call: Call, request: InnerRequest) => MaybePromise<Reply>;

/** What calls of scripts are made with. */
export interface ApiParts {
  callInside: CallInside;
  sendOutside: SendOutside;
  /** Bytes that a payload may have. */
  maxPayload: number;
}

/** Makes a call of a script; one that fails is an answer. */
export async function callOfScript(call: Call, request: ApiRequest, parts: ApiParts): Promise<ApiResponse> {
  const dryRun = call.state.get(scriptBudget)?.dryRun;
  const make = () => makeCall(call, request, parts);
  try {
    return await (dryRun ? dryRun.call(request, make) : make());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return apiResponse(error.status, { error: wireError(error) }, 'application/json');
  }
}

async function makeCall(
  call: Call,
  request: ApiRequest,
  { callInside, sendOutside, maxPayload }: ApiParts,
): Promise<ApiResponse> {
  const options = readApiOptions(request.options);
  if (isOutside(request.path)) return callOutside(sendOutside, call, request, options);
  const inner = readRequest(request, options);
  if (inner.payload !== undefined && Buffer.byteLength(stringifyInput(inner.payload)) > maxPayload)
    throw fail('script.payloadTooLarge', { limit: maxPayload });
  const reply = await callInside(call, inner);
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

/** The address of a call inside: `db/_table/x?limit=1`, with `/api/v2/` before it or without. */
export const innerAddress = (path: string): Address =>
  parseAddress(`/api/v2/${path.replace(/^\/*(api\/v[0-9.]+\/)?\/*/i, '')}`);

/** Of curl options, those that say what is sent count. */
function readRequest({ verb, path, payload }: ApiRequest, options: ApiOptions): InnerRequest {
  const upper = (options.verb ?? verb).toUpperCase() as Verb;
  if (!verbs.includes(upper)) throw fail('http.verbNotSupported', { verb: upper, path, service: 'api' });
  const address = innerAddress(path);
  const query = new Map(address.query.names().map((name) => [name, address.query.get(name) ?? '']));
  for (const [name, value] of options.parameters) query.set(name, value);
  const sent = options.payload ?? payload;
  return {
    ...{ verb: upper, service: address.service, path: address.path, query: queryOf(query) },
    headers: options.headers,
    ...(sent === undefined || sent === null ? {} : { payload: sent }),
    requestor: 'SCRIPT',
  };
}
