// Which addresses of a path template a caller may call with a verb, by the rows of his role (contract/role-access.md §2).
import { type Verb, verbMask } from '@sluice/contract';
import { grantsBelow, maskOf } from '../access/gate.ts';
import type { Caller } from '../call/call.ts';
import type { ListedOperation } from '../service/route-table.ts';

/** What may stand for the placeholders of a template. */
export interface Reach {
  /** Anything may. */
  isOpen: boolean;
  /** Values that may, where not everything does. */
  values: Record<string, string>[];
  /** Nothing else does. */
  isComplete: boolean;
}

type Template = Pick<ListedOperation, 'path' | 'verb' | 'isPublic' | 'takesSlashes' | 'only'>;

/** Who asks, where, and whether an address there leads to an operation. */
export interface Seeker {
  caller: Caller;
  /** Lower-cased name of the service. */
  key: string;
  leadsTo(address: string, operation: Pick<Template, 'path' | 'verb'>): boolean;
}

/** A part of an address that no row names. */
const unnamed = '~any~';
const sample = 'example';
const maxValues = 100;

const openReach: Reach = { isOpen: true, values: [], isComplete: true };

const placeholderOf = (part: string): string | undefined => /^\{([^{}]*)\}$/.exec(part)?.[1];

/**
 * How far a caller reaches; undefined where he does not. `fixed` are values of placeholders that stand already, `grantsOf` finds
 * the rows of his role that may be about addresses that begin so.
 */
export function reachOf(
  { caller, key: service, leadsTo }: Seeker,
  { path, verb, isPublic, takesSlashes, only }: Template,
  fixed: Readonly<Record<string, string>> = {},
  grantsOf: typeof grantsBelow = grantsBelow,
): Reach | undefined {
  if (caller.user?.isAdmin) return openReach;
  if (only === 'administrators' || (only === 'people' && !caller.user)) return undefined;
  if (isPublic) return openReach;
  const parts = path.split('/').map((part) => {
    const name = placeholderOf(part);
    return name === undefined || !Object.hasOwn(fixed, name) ? { name, text: part } : { text: fixed[name] as string };
  });
  const address = parts.map(({ name, text }) => (name === undefined ? text : unnamed)).join('/');
  if (may(caller, service, verb, address)) return openReach;
  if (parts.every(({ name }) => name === undefined)) return undefined;

  const values = new Map<string, Record<string, string>>();
  let isComplete = true;
  for (const { component, mask } of grantsOf(caller, service, startOf(parts, takesSlashes))) {
    if ((mask & verbMask[verb]) === 0) continue;
    if (values.size >= maxValues) {
      isComplete = false;
      break;
    }
    const fitting = fit(parts, component, takesSlashes);
    if (!fitting || !may(caller, service, verb, fitting.address)) continue;
    // A word in place of a value leads elsewhere.
    if (!leadsTo(fitting.address, { path, verb })) continue;
    values.set(fitting.address.toLowerCase(), fitting.values);
    if (fitting.isSample) isComplete = false;
  }
  return values.size === 0 ? undefined : { isOpen: false, values: [...values.values()], isComplete };
}

interface TemplatePart {
  /** Of the placeholder, where nothing stands for it yet. */
  name?: string | undefined;
  text: string;
}

/** The parts that every address of the template begins with. */
function startOf(parts: readonly TemplatePart[], takesSlashes: boolean): string[] {
  const whole = takesSlashes ? parts.slice(0, -1) : parts;
  const open = whole.findIndex(({ name }) => name !== undefined);
  return whole.slice(0, open < 0 ? whole.length : open).map(({ text }) => text);
}

const may = (caller: Caller, service: string, verb: Verb, address: string): boolean =>
  (maskOf(caller, service, address) & verbMask[verb]) !== 0;

/** An address of the template that the component of a row is about; of a wildcard one of many. */
function fit(
  template: readonly TemplatePart[],
  component: string,
  takesSlashes: boolean,
): { address: string; values: Record<string, string>; isSample: boolean } | undefined {
  const isWildcard = component.endsWith('*');
  const given = (isWildcard ? `${component.slice(0, -1)}${sample}` : component).split('/');
  const values: Record<string, string> = {};
  const parts: string[] = [];
  for (const [index, { name, text }] of template.entries()) {
    const isLast = index === template.length - 1;
    const part = isLast && takesSlashes ? given.slice(index).join('/') : given[index];
    if (part === undefined || part === '') {
      if (!isWildcard) return undefined;
      parts.push(name === undefined ? text : sample);
      if (name !== undefined) values[name] = sample;
    } else if (name !== undefined) {
      parts.push(part);
      values[name] = part;
    } else {
      const isSampled = isWildcard && index === given.length - 1;
      if (!isSampled && part.toLowerCase() !== text.toLowerCase()) return undefined;
      parts.push(text);
    }
  }
  if (given.length > template.length && !takesSlashes) return undefined;
  return { address: parts.join('/'), values, isSample: isWildcard };
}
