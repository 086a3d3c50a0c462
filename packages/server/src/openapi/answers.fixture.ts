// Whether answers are what a document says of them. Of the form 3.1: its schemas are those of JSON Schema itself.
import type { Answer } from '@sluice/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Document } from './valid.fixture.ts';

/** What is wrong with the answer of an operation; undefined where nothing is. */
export type CheckAnswer = (
  verb: string,
  path: string,
  answer: Pick<Answer, 'status' | 'body' | 'headers'>,
) => string | undefined;

export function createAnswerCheck(document: Document): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const resolve = (pointer: string[]): { pointer: string[]; part: Document } => {
    const part = pointer.reduce((node, name) => node?.[name], document);
    return part?.$ref ? resolve(part.$ref.slice(2).split('/')) : { pointer, part };
  };
  return (verb, path, { status, body, headers }) => {
    const found = resolve(['paths', path, verb.toLowerCase(), 'responses', String(status)]);
    if (!found.part) return `${status} is not in the document`;
    const type = headers['content-type']?.split(';')[0] ?? '';
    const content = found.part.content;
    if (!content || type !== 'application/json') return undefined;
    if (!content[type]) return `${type} is not in the document`;
    const pointer = [...found.pointer, 'content', type, 'schema'];
    const id = `document#/${pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = ajv.getSchema(id);
    if (!validate) return `${id} is no schema`;
    if (!validate(body)) return `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 300)}`;
    const unknown = unknownNames(body, content[type].schema, document);
    return unknown.length === 0 ? undefined : `${unknown.join(', ')} not in the document`;
  };
}

/** The names of an answer that its schema does not list, where it lists any. */
function unknownNames(value: unknown, schema: Document, document: Document, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = partsOf(schema, document);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items)?.items;
    return items ? value.flatMap((item) => unknownNames(item, items, document, `${place}[]`)) : [];
  }
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  if (Object.keys(properties).length === 0) return [];
  const isOpen = parts.some((part) => part.additionalProperties);
  return [
    ...new Set(
      Object.entries(value).flatMap(([name, member]) => {
        const here = `${place}/${name}`;
        if (Object.hasOwn(properties, name)) return unknownNames(member, properties[name], document, here);
        return isOpen ? [] : [here];
      }),
    ),
  ];
}

/** A schema with those that it is made of. */
function partsOf(schema: Document, document: Document): Document[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref) {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce((node: Document, name: string) => node?.[name], document);
    return partsOf(target, document);
  }
  return [schema, ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap((part) => partsOf(part, document))];
}
