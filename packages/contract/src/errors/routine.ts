import { errorsOfArea } from './catalogue.ts';

type Kind = { kind: 'procedure' | 'function' };

const capital = (word: string): string => `${word}`.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Stored procedures and functions (contract/database-schema.md §10). */
export const routineErrors = errorsOfArea('routine', {
  unknown: {
    status: 404,
    message: (p: Kind & { name: string }) => `${capital(p.kind)} '${p.name}' does not exist in the database.`,
    hint: 'If it was created a moment ago, ask with refresh=true.',
  },
  noName: { status: 400, message: (p: Kind) => `${capital(p.kind)} name can not be empty.` },
  address: {
    status: 400,
    message: 'The address of a routine is its name, or its name and values in parentheses.',
    hint: 'Values that hold a closing parenthesis are sent in the body or as parameters of the query.',
  },
  failed: {
    status: 500,
    message: (p: Kind & { text: string }) => `Failed to call database stored ${p.kind}.\n${p.text}`,
  },
  parameters: {
    status: 400,
    message: 'The params of a call must be a list of values, a list of objects with name and value, or an object.',
  },
  parameterUnknown: {
    status: 400,
    message: (p: Kind & { name: string; parameter: string }) =>
      `${capital(p.kind)} '${p.name}' has no parameter '${p.parameter}'.`,
    hint: 'GET the list with ids= and its name to see the parameters.',
  },
  parametersTooMany: {
    status: 400,
    message: (p: Kind & { name: string; maxParameters: number }) =>
      `${capital(p.kind)} '${p.name}' has ${p.maxParameters} parameters, and more values were given.`,
  },
});
