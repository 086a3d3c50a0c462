// The tools of a caller: one for each operation template that one of their services has and that they reach there.
import { pause } from '@sluice/sql';
import type { Caller } from '../call/call.ts';
import type { DocumentedService } from '../openapi/document.ts';
import { type DocumentedServices, readServices } from '../openapi/index.ts';
import type { Schema } from '../openapi/schema.ts';
import { templateReach } from '../openapi/template-reach.ts';
import type { ListedOperation } from '../service/route-table.ts';
import { agentServices, definedOperations } from './agent-services.ts';
import { argumentsOf, type Choices, inputSchema } from './tool-input.ts';
import { operationKey, otherToolName, toolName } from './tool-name.ts';

/** A tool as lists show it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema & { type: 'object' };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

/** Tools in a list; more are on further pages. */
export const toolsPerPage = 50;
/** Services whose operations are looked at, in order of id, and tools in all. */
const maxServices = 200;
const maxTools = 500;

/** A tool as it grows by services. */
interface Draft {
  name: string;
  operation: ListedOperation;
  choices: Map<string, { values: Set<string>; isComplete: boolean }>;
}

/** The tools of a caller, those for records first. */
export async function listTools(services: DocumentedServices, caller: Caller): Promise<Tool[]> {
  const rows = await agentServices(services, caller);
  const drafts = new Map<string, Draft>();
  const names = new Set<string>();
  for (const service of await readServices(services, rows.slice(0, maxServices), { refresh: false })) {
    const { row, definition } = service;
    const leadsTo = definition ? () => true : service.leadsTo;
    const seeker = { caller, key: row.key, leadsTo, items: service.items };
    for (const operation of definition ? definedOperations(definition) : service.operations) {
      await pause();
      const found = await templateReach(seeker, operation);
      if (!found) continue;
      const draft = draftOf(operation, drafts, names);
      if (!draft) continue;
      choicesOf(draft, 'service', rows.length <= maxServices).values.add(row.name);
      for (const { in: place, name } of argumentsOf(operation).values()) {
        if (place !== 'path') continue;
        const values =
          name === found.placeholder ? found.names : found.reach.values.flatMap((value) => value[name] ?? []);
        const isComplete = isItem(operation, name, service) || (!found.reach.isOpen && found.reach.isComplete);
        const choices = choicesOf(draft, name, true);
        choices.isComplete &&= isComplete;
        for (const value of values) if (choices.values.size < maxValues) choices.values.add(value);
      }
    }
  }
  return withoutTwins([...drafts.values()].map(toolOf).sort((a, b) => a.rank - b.rank)).map(({ tool }) => tool);
}

/** Whether all that may stand for a placeholder was read. */
const isItem = ({ items }: ListedOperation, placeholder: string, service: DocumentedService): boolean =>
  items?.placeholder === placeholder && service.items.names[items.resource] !== undefined;

/** The tool of an operation, as far as it has grown; undefined where no more are listed. */
function draftOf(operation: ListedOperation, drafts: Map<string, Draft>, names: Set<string>): Draft | undefined {
  const key = operationKey(operation);
  const existing = drafts.get(key);
  if (existing || drafts.size >= maxTools) return existing;
  const plain = toolName(operation);
  const name = names.has(plain) ? otherToolName(operation) : plain;
  if (names.has(name)) return undefined;
  const draft: Draft = { name, operation, choices: new Map() };
  names.add(name);
  drafts.set(key, draft);
  return draft;
}

/** Values that are gathered of a placeholder: more are not listed anyway. */
const maxValues = 100;

function choicesOf(
  { choices }: Draft,
  name: string,
  isComplete: boolean,
): Choices & { values: Set<string>; isComplete: boolean } {
  const existing = choices.get(name);
  if (existing) return existing;
  const made = { values: new Set<string>(), isComplete };
  choices.set(name, made);
  return made;
}

interface RankedTool {
  tool: Tool;
  operation: ListedOperation;
  rank: number;
}

function toolOf({ name, operation, choices }: Draft): RankedTool {
  const { verb, path, endsInSlash, summary, description } = operation;
  const address = `${verb} {service}/${path}${endsInSlash ? '/' : ''}`;
  const tool: Tool = {
    name,
    title: summary,
    description: `${summary}.${description === undefined ? '' : ` ${description}`} (${address})`,
    inputSchema: { ...inputSchema(operation, choices), type: 'object' },
    annotations: annotationsOf(operation),
  };
  return { tool, operation, rank: rankOf(operation) };
}

/** What a script or a routine does, nothing here knows. */
function annotationsOf({ verb, body, answer, mayWrite }: ListedOperation): Tool['annotations'] {
  const readOnlyHint = verb === 'GET' && !mayWrite && answer !== 'any value';
  const isAdding = verb === 'POST' && body === 'records' && answer === 'records';
  return { readOnlyHint, destructiveHint: !readOnlyHint && !isAdding };
}

/** Records first, then what only reads. */
const rankOf = ({ items, verb, answer }: ListedOperation): number => {
  if (items && (answer === 'record' || answer === 'records')) return 0;
  return verb === 'GET' ? 1 : 2;
};

/** Verbs that mean the same where an operation says the same of them; the first stays. */
const twinVerbs = ['POST', 'PATCH', 'PUT'];

/** Leaves out an operation that does what another one does at the same addresses with another verb. */
function withoutTwins(tools: RankedTool[]): RankedTool[] {
  const places = new Map<string, number>();
  const keyOf = ({ tool, operation: { path, endsInSlash } }: RankedTool) =>
    JSON.stringify([path, endsInSlash, tool.title, tool.inputSchema]);
  const placeOf = ({ operation: { verb } }: RankedTool) => twinVerbs.indexOf(verb);
  // Scripts tell verbs apart by themselves.
  const mayHaveTwin = (one: RankedTool) => placeOf(one) >= 0 && one.operation.answer !== 'any value';
  for (const one of tools.filter(mayHaveTwin))
    places.set(keyOf(one), Math.min(places.get(keyOf(one)) ?? twinVerbs.length, placeOf(one)));
  return tools.filter((one) => !mayHaveTwin(one) || places.get(keyOf(one)) === placeOf(one));
}
