import { errorsOfArea } from './catalogue.ts';

/** Values of fields, in records and in filters (contract/database-tables.md §9). */
export const fieldErrors = errorsOfArea('field', {
  null: { status: 400, message: (p: { field: string }) => `Field '${p.field}' can not be NULL.` },
  boolean: { status: 400, message: (p: { field: string }) => `Field '${p.field}' must be true or false.` },
  integer: { status: 400, message: (p: { field: string }) => `Field '${p.field}' must be a valid integer.` },
  number: { status: 400, message: (p: { field: string }) => `Field '${p.field}' must be a valid number.` },
  text: { status: 400, message: (p: { field: string }) => `Field '${p.field}' must be a text.` },
  nul: {
    status: 400,
    message: (p: { field: string }) => `Field '${p.field}' must not contain NUL characters.`,
    hint: 'A text can not hold the character U+0000; a binary field can.',
  },
  base64: { status: 400, message: (p: { field: string }) => `Field '${p.field}' must be valid base64.` },
  unsafeInteger: {
    status: 400,
    message: (p: { field: string; value: string }) =>
      `Field '${p.field}' holds the integer ${p.value}, which a JSON number can not carry exactly.`,
    hint: 'Send integers past 2^53 as quoted text; they are stored exactly.',
  },
  expression: {
    status: 400,
    message: (p: { field: string; text: string }) => `Field '${p.field}': the expression '${p.text}' is not allowed.`,
    hint: 'Allowed are NOW(), CURRENT_TIMESTAMP, CURRENT_DATE and CURDATE().',
  },
  moment: {
    status: 400,
    message: (p: { field: string; text: string }) =>
      `Field '${p.field}' can not hold '${p.text}', which is a date and time.`,
  },
});
