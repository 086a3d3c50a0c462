// What every document says of answers: success, a list, and errors (contract/http-basics.md §7, §8).
import { type ErrorDefinition, type ErrorKey, errors } from '@sluice/contract';
import type { Components } from './components.ts';
import { type Form, nullable, type Schema } from './schema.ts';

const json = (schema: Schema) => ({ 'application/json': { schema } });

/** The three answers that every document of older servers has. */
export function commonResponse(components: Components, name: 'Success' | 'Error' | 'ResourceList', form: Form) {
  const make = {
    Success: () => ({
      description: 'Success',
      content: json(components.ref('schemas', 'Success', 'Success', () => success)),
    }),
    Error: () => ({ description: 'Error', content: json(errorSchema(components, form)) }),
    ResourceList: () => ({
      description: 'Resource List',
      content: json(components.ref('schemas', 'ResourceList', 'ResourceList', () => resourceList)),
    }),
  };
  return components.ref('responses', name, name, make[name]);
}

const success: Schema = { type: 'object', properties: { success: { type: 'boolean' } } };
const resourceList: Schema = {
  type: 'object',
  properties: { resource: { type: 'array', items: {} } },
};

const errorSchema = (components: Components, form: Form) =>
  components.ref('schemas', 'Error', 'Error', () => ({
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'context', 'message', 'status_code'],
        properties: {
          code: {
            anyOf: [{ type: 'integer' }, { type: 'string' }],
            description: 'A number, or a code of the database.',
          },
          context: { description: 'The messages of each field, or what came of each record.' },
          message: nullable({ type: 'string' }, form),
          status_code: { type: 'integer' },
          request_id: { type: 'string', description: 'Names the call in the log of the server.' },
        },
      },
    },
  }));

/** The errors that an operation declares, by status. */
export function errorResponses(components: Components, keys: readonly ErrorKey[], form: Form): Record<string, unknown> {
  const byStatus = new Map<number, ErrorKey[]>();
  for (const key of keys) {
    const { status } = errors[key];
    byStatus.set(status, [...(byStatus.get(status) ?? []), key]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, keys]) => {
      const name = keys.join('-');
      const make = () => ({
        // A line for each.
        description: keys.map((key) => errorText(key).replaceAll('\n', ' ')).join('\n'),
        content: json(errorSchema(components, form)),
      });
      return [String(status), components.ref('responses', name, name, make)];
    }),
  );
}

/** The text of an error, `{name}` where a value stands, and `…` where a value chooses among words. */
export function errorText(key: ErrorKey): string {
  const { message }: ErrorDefinition = errors[key];
  if (typeof message === 'string') return message;
  const get = (_: object, name: string | symbol) =>
    // What was done is said of some calls only.
    name !== 'rolledBack' && Object.assign([`{${String(name)}}`], { toString: () => `{${String(name)}}` });
  return String(message(new Proxy({}, { get }) as never)).replaceAll('undefined', '…');
}
