// The call that a script is tried on, as it is typed. Held while the editor is open, and nowhere else. Pure.
import { type Verb, verbs } from '@sluice/contract';
import type { EventTree } from '../names/events.ts';
import { callPath, readName } from '../names/events.ts';
import type { ScriptForm } from '../record.ts';
import type { DryRunRequest } from '../sources.ts';

export interface TryDraft {
  verb: Verb;
  path: string;
  /** A line each: `X-Name: value`. */
  headers: string;
  /** JSON, or any text. */
  body: string;
  /** The status of the answer that a script behind the operation gets; empty for that of the call itself. */
  status: string;
  answer: string;
}

/** A call that the script's event is about. */
export const firstDraft = (name: string, tree: EventTree | undefined): TryDraft => ({
  verb: readName(name).verb ?? 'GET',
  path: callPath(name, tree),
  headers: '',
  body: '',
  status: '',
  answer: '',
});

/** `POST db/_table/x`, as suggestions have it: verb and path. */
export function readCall(text: string): { verb?: Verb; path: string } {
  const [, word = '', path = ''] = /^([A-Za-z]+)\s+(\S.*)$/.exec(text) ?? [];
  const verb = word.toUpperCase() as Verb;
  return verbs.includes(verb) ? { verb, path } : { path: text };
}

/** What cannot be sent as it is typed; its words are `scripts:try.problem.<name>`. */
export type TryProblem = 'path' | 'headers' | 'status';

export const needsAnswer = (name: string): boolean => readName(name).step !== 'pre_process';

export function problemOf({ path, headers, status }: TryDraft): TryProblem | null {
  if (path.trim().replace(/^\/+/, '') === '') return 'path';
  if (headers.split('\n').some((line) => line.trim() !== '' && !/^\s*[^\s:]+\s*:/.test(line))) return 'headers';
  return status !== '' && !/^[1-5]\d\d$/.test(status.trim()) ? 'status' : null;
}

/** The call of `_dry_run`, with the script as it stands in the editor. */
export function dryRunRequest(form: ScriptForm, content: string, draft: TryDraft): DryRunRequest {
  const { name, type, allow_event_modification, config } = form;
  const { verb, path, headers, body, status, answer } = draft;
  const isAnswered = needsAnswer(name) && (status.trim() !== '' || answer.trim() !== '');
  return {
    script: { name, type, content, allow_event_modification, config },
    request: {
      verb,
      path: path.trim().replace(/^\/*(api\/v2\/)?\/*/i, ''),
      headers: headersOf(headers),
      ...(body.trim() === '' ? {} : { payload: parseValue(body) }),
      ...(isAnswered
        ? {
            response: {
              status_code: Number(status.trim() || 200),
              content: answer.trim() === '' ? null : parseValue(answer),
            },
          }
        : {}),
    },
  };
}

const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** JSON where it is some, else the text. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
