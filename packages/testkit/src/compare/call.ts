// A call as data: what is sent, as whom, and what of its answer later calls need.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface CallParts {
  /** Who calls: a key of `callers`. The administrator when absent. */
  as?: string;
  headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  body?: Json | Uint8Array;
  /** What later calls may write as `{{name}}`, by name: a path into the JSON of the answer, or `header etag`. */
  keep?: Record<string, string>;
  /** The status without which the rest of the run says nothing; it is checked on both servers. */
  status?: number;
  /** `figures`: of the body only the names of its figures and their labels are compared. */
  only?: 'figures';
}

/**
 * `GET shop/_table/product?limit=1` is below `/api/v2/`; a target that begins with `/` is sent as it is. Blanks and other
 * characters that no request line may hold are escaped. A line `RAW` sends its body on a bare socket.
 */
export type CallLine = string | readonly [line: string, parts: CallParts];

/** Calls of one subject, made in their order. */
export interface CallGroup {
  title: string;
  calls: readonly CallLine[];
}

/** A call ready to be sent. */
export interface Call extends CallParts {
  /** What it is called where it is printed: number, group, line and caller. */
  title: string;
  verb: string;
  target: string;
}

/** Records as calls on a collection send them. */
export const records = (...list: Json[]): Json => ({ resource: list });

/** The calls of groups, numbered. */
export function listCalls(groups: readonly CallGroup[]): Call[] {
  let number = 0;
  return groups.flatMap((group) =>
    group.calls.map((entry) => {
      const [line, parts]: readonly [string, CallParts] = typeof entry === 'string' ? [entry, {}] : entry;
      const [verb = '', ...rest] = line.split(' ');
      const target = rest.join(' ');
      const caller = parts.as === undefined ? '' : ` as ${parts.as}`;
      number += 1;
      return {
        ...parts,
        title: `${number} ${group.title}: ${line}${caller}`,
        verb,
        target: target.startsWith('/') || verb === 'RAW' ? target : `/api/v2/${target}`,
      };
    }),
  );
}

/** What earlier answers of the same server have left, by name. */
export type Variables = Map<string, Json>;

/** Fills `{{name}}` in; a text that is nothing else takes the value with its type. Throws where there is none. */
export function fill<T>(value: T, variables: Variables): T {
  if (typeof value === 'string') return fillText(value, variables) as T;
  if (Array.isArray(value)) return value.map((item) => fill(item, variables)) as T;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables)])) as T;
}

function fillText(text: string, variables: Variables): Json {
  const valueOfVariable = (name: string): Json => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no earlier answer has left {{${name}}}`);
    return value;
  };
  const whole = /^\{\{([\w.]+)\}\}$/.exec(text)?.[1];
  if (whole !== undefined) return valueOfVariable(whole);
  return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => String(valueOfVariable(name)));
}
