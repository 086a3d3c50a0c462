import { catalogue } from './catalogue.ts';

const words = {
  procedure: { name: 'Procedure', text: 'procedure' },
  function: { name: 'Function', text: 'function' },
} as const;

type Kind = { kind: keyof typeof words };

/** Stored procedures and functions (contract/database-schema.md §10). */
export const routineErrors = catalogue('routine', {
  unknown: {
    status: 404,
    message: (p: Kind & { name: string }) => `${words[p.kind].name} '${p.name}' does not exist in the database.`,
    hint: 'If it was created a moment ago, ask with refresh=true.',
  },
  noName: { status: 400, message: (p: Kind) => `${words[p.kind].name} name can not be empty.` },
  address: {
    status: 400,
    message: 'The address of a routine is its name, or its name and values in parentheses.',
    hint: 'Values that hold a closing parenthesis are sent in the body or as parameters of the query.',
  },
  failed: {
    status: 500,
    message: (p: Kind & { text: string }) => `Failed to call database stored ${words[p.kind].text}.\n${p.text}`,
  },
  parameters: {
    status: 400,
    message: 'The params of a call must be a list of values, a list of objects with name and value, or an object.',
  },
  parameterUnknown: {
    status: 400,
    message: (p: Kind & { name: string; parameter: string }) =>
      `${words[p.kind].name} '${p.name}' has no parameter '${p.parameter}'.`,
    hint: 'GET the list with ids= and its name to see the parameters.',
  },
  parametersTooMany: {
    status: 400,
    message: (p: Kind & { name: string; most: number }) =>
      `${words[p.kind].name} '${p.name}' has ${p.most} parameters, and more values were given.`,
  },
});
