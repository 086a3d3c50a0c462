// `_runs` and `_dry_run` below `system/event_script`: how scripts ran, and what one would do, for those who may write scripts
// (contract/event-scripts-and-script-services.md §9).
import {
  type DryRun,
  type DryRunChanges,
  Failure,
  fail,
  type ScriptTypeName,
  scriptTypeNames,
  type Verb,
  verbs,
  wireError,
} from '@sluice/contract';
import { decideFor } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { type Exchange, replaceByFailure, replaceReply, withRequest } from '../../call/exchange.ts';
import { isRecord } from '../../call/payload.ts';
import { type InnerRequest, innerCall } from '../../gateway/inner-call.ts';
import { isEmpty } from '../../resource/fields.ts';
import { innerAddress } from '../../scripts/api.ts';
import { scriptBudget } from '../../scripts/budget.ts';
import { requireScripting } from '../../scripts/disabled.ts';
import { applyAfter, applyBefore, replyOf, requestData, responseData, shownFailure } from '../../scripts/event-data.ts';
import { isLinked, type LinkedParts, loadLinkedScript, type ScriptLink } from '../../scripts/linked.ts';
import { outcomeOfFailure } from '../../scripts/run-history.ts';
import type { ScriptRunner, ScriptText } from '../../scripts/runner.ts';
import { hideInValue } from '../../scripts/secrets.ts';
import { isSame } from '../../scripts/untouched.ts';
import type { Services } from '../../service/registry.ts';
import type { Settings } from '../../settings/index.ts';

export interface ScriptRunParts {
  runner: ScriptRunner;
  services: Pick<Services, 'find'>;
  settings: Settings;
  linked: LinkedParts;
}

/** The last runs of the scripts of this process. */
export function listRuns({ runner }: Pick<ScriptRunParts, 'runner'>, call: Call): Reply {
  requireScriptWriter(call);
  return answer({ resource: runner.runs(call.query.get('name') || undefined) });
}

/** What shows calls of others, runs code or names people is for those who may write scripts: they act as administrators. */
export function requireScriptWriter({ caller }: Call): void {
  const component = 'event_script';
  if (!decideFor(caller, 'POST', 'system', component).allowed)
    throw fail('access.denied', { verb: 'POST', component, service: 'system' });
}

/** Runs a script on a call that is not made; nothing of either is kept. */
export async function runDry(parts: ScriptRunParts, call: Call): Promise<Reply> {
  requireScriptWriter(call);
  if (call.state.get(scriptBudget)) throw fail('script.dryRunInside');
  const { link, allowsModification, request, response, ...input } = readDryRun(await call.body(), parts.settings);
  const exchange: Exchange = { call: await callOf(parts, call, request) };
  const step = stepOf(input.script.name);
  const notes = parts.runner.beginDryRun(exchange.call);
  const script = isLinked(link)
    ? { ...input.script, content: await loadLinkedScript(exchange.call, link, parts.linked, input.script.name) }
    : input.script;
  if (step !== 'before') await addResponse(parts, exchange, request, response);
  const before = {
    ...(await requestData(exchange.call)),
    ...(step === 'before' ? {} : { response: await responseData(exchange) }),
  };
  const outcome = await parts.runner.dryRun(exchange.call, script, before);
  const { failure, hide } = outcome;
  const effect =
    failure === undefined && allowsModification ? await effectOf(step, exchange, before, outcome.result) : {};
  const result: DryRun = {
    before,
    after: hideInValue(outcome.event ?? null, hide),
    ...(outcome.returned === undefined ? {} : { returned: hideInValue(outcome.returned, hide) }),
    effect: hideInValue(effect, hide) as DryRun['effect'],
    calls: hideInValue(notes.calls, hide) as DryRun['calls'],
    store: hideInValue(notes.storeUses, hide) as DryRun['store'],
    log: outcome.output,
    milliseconds: outcome.milliseconds,
    outcome: failure === undefined ? 'done' : outcomeOfFailure(failure),
    ...(failure === undefined ? {} : { error: wireError(shownFailure(failure)) }),
  };
  return answer(result);
}

type Step = 'before' | 'after' | 'event';

const stepOf = (name: string): Step =>
  /\.pre_process$/i.test(name) ? 'before' : /\.post_process$/i.test(name) ? 'after' : 'event';

/** The call that the script runs for, matched as the gateway matches it. */
async function callOf({ services }: ScriptRunParts, call: Call, request: InnerRequest): Promise<Call> {
  const inner = innerCall(call, request);
  const addressed = await services.find(inner.service);
  inner.match = addressed?.type?.routes.match(inner.path, inner.verb);
  return inner;
}

/** The response as it was typed; else what a read of the address answers the caller now. */
async function addResponse(
  { linked }: ScriptRunParts,
  exchange: Exchange,
  request: InnerRequest,
  response: Record<string, unknown> | undefined,
): Promise<void> {
  if (response) return replaceReply(exchange, replyOf(response));
  if (request.verb !== 'GET') return replaceReply(exchange, answer(null));
  try {
    replaceReply(exchange, await linked.callInside(exchange.call, request));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    replaceByFailure(exchange, error);
  }
}

/** What the script would change, found out as the gateway does it. */
async function effectOf(
  step: Step,
  exchange: Exchange,
  before: Awaited<ReturnType<typeof requestData>>,
  result: unknown,
): Promise<DryRun['effect']> {
  if (step === 'event') return {};
  if (step === 'after') {
    applyAfter(exchange, before.response ?? {}, result);
    return withChanges('response', changesOf(before.response ?? {}, await responseData(exchange)));
  }
  const { verb } = applyBefore(exchange, before, result);
  if (exchange.reply) return withChanges('response', changesOf({}, await responseData(exchange)));
  const changed = verb === undefined ? exchange.call : withRequest(exchange.call, { verb });
  return withChanges('request', changesOf(before.request, (await requestData(changed)).request));
}

const withChanges = (part: 'request' | 'response', changes: DryRunChanges): DryRun['effect'] =>
  Object.keys(changes).length > 0 ? { [part]: changes } : {};

/** What scripts of a request cannot set follows from what they can: the address from the parameters. */
const derived = new Set(['uri', 'content_type']);

const changesOf = (before: Record<string, unknown>, after: Record<string, unknown>): DryRunChanges =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => !(derived.has(name) && 'method' in after) && !isSame(before[name], after[name]))
      .map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );

interface DryRunInput {
  script: ScriptText;
  link: ScriptLink;
  allowsModification: boolean;
  request: InnerRequest;
  response?: Record<string, unknown>;
}

function readDryRun(body: unknown, settings: Settings): DryRunInput {
  const { script, request } = isRecord(body) ? body : {};
  const messages: Record<string, string[]> = {};
  const require = (isGood: boolean, field: string) => {
    if (!isGood) messages[field] = [`The selected ${field} is invalid.`];
  };
  const scriptFields = isRecord(script) ? script : {};
  const requestFields = isRecord(request) ? request : {};
  const { name, type, content = '', allow_event_modification: modifies, ...other } = scriptFields;
  const { verb = 'GET', path, headers = {}, payload, response } = requestFields;
  require(typeof name === 'string' && name !== '' && name.length <= 80, 'name');
  require(scriptTypeNames.includes(type as ScriptTypeName), 'type');
  require(typeof content === 'string' || content === null, 'content');
  require(verbs.includes(String(verb).toUpperCase() as Verb), 'verb');
  require(typeof path === 'string' && path !== '', 'path');
  require(isRecord(headers), 'headers');
  require(response === undefined || response === null || isRecord(response), 'response');
  if (Object.keys(messages).length > 0)
    throw fail('record.invalid', { messages: Object.values(messages).flat() }, { context: messages });
  requireScripting(type as ScriptTypeName, settings);
  const address = innerAddress(String(path));
  return {
    script: { name: String(name), type: type as ScriptTypeName, content: String(content ?? '') },
    link: readLink(other),
    allowsModification: modifies === true,
    request: {
      ...{ verb: String(verb).toUpperCase() as Verb, ...address, requestor: 'API' },
      headers: new Map(
        Object.entries(headers as object).map(([header, value]) => [header.toLowerCase(), String(value)]),
      ),
      ...(payload === undefined || payload === null ? {} : { payload }),
    },
    ...(isRecord(response) ? { response } : {}),
  };
}

const readLink = ({ storage_service_id, ...texts }: Record<string, unknown>): ScriptLink => ({
  storage_service_id: isEmpty(storage_service_id) ? null : Number(storage_service_id),
  storage_path: textOf(texts.storage_path),
  scm_repository: textOf(texts.scm_repository),
  scm_reference: textOf(texts.scm_reference),
});

const textOf = (value: unknown): string | null => (isEmpty(value) ? null : String(value));
