// A call as its form says it: the path with its values, and the query. Pure.
import type { ExplainRequest, Verb } from '@sluice/contract';
import { encodeSegment } from '../../calls/index.ts';
import type { ApiOperation, Parameter } from './document.ts';

/** By `path name` and `query name`; an empty text is left out of the query. */
export type FormValues = Readonly<Record<string, string>>;

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** What the form begins with: values that the path cannot do without. */
export const firstValues = ({ parameters }: ApiOperation): FormValues =>
  Object.fromEntries(parameters.filter((one) => one.in === 'path').map((one) => [keyOf(one), one.example]));

/** Below `/api/v2`, encoded; a path's values keep their slashes where they are paths of files. */
export function pathOf(service: string, { path, parameters }: ApiOperation, values: FormValues): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const value = parameter && values[keyOf(parameter)];
    if (!value) return whole;
    return name.endsWith('_path') ? value.split('/').map(encodeSegment).join('/') : encodeSegment(value);
  });
  return `${encodeSegment(service)}${filled === '/' ? '' : filled}`;
}

export const queryOf = ({ parameters }: ApiOperation, values: FormValues): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap((one) => {
      const value = one.in === 'query' ? values[keyOf(one)] : undefined;
      return value ? [[one.name, value]] : [];
    }),
  );

/** What is asked of a role in place of the call: as the address names it, with the record where one is sent. */
export function questionOf(roleId: number, verb: string, path: string, body: string | undefined): ExplainRequest {
  const record = path.includes('/_table/') ? recordIn(body) : undefined;
  return {
    ...{ role_id: roleId, verb: verb as Verb, path: decodeURIComponent(path), requestor: 'API' },
    ...(record ? { record } : {}),
  };
}

/** The one record of a body, bare or wrapped. */
function recordIn(body: string | undefined): Record<string, unknown> | undefined {
  if (body === undefined || !isBody(body)) return undefined;
  const value = JSON.parse(body) as { resource?: unknown } | null;
  const resource = value?.resource ?? value;
  const record = Array.isArray(resource) ? (resource.length === 1 ? resource[0] : undefined) : resource;
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? record : undefined;
}

/** Placeholders without a value: the call has no address yet. */
export const missingOf = ({ parameters }: ApiOperation, values: FormValues): string[] =>
  parameters.filter((one) => one.in === 'path' && !values[keyOf(one)]).map(({ name }) => name);

/** Whether a body is JSON; an empty one is none. */
export function isBody(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === '';
  }
}
