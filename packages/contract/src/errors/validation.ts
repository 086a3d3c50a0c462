import { errorsOfArea } from './catalogue.ts';

type Field = { field: string };

/** The rules a field may have for its values (contract/database-tables.md §10). */
export const validationErrors = errorsOfArea('validation', {
  readOnly: { status: 400, message: (p: Field) => `Field '${p.field}' is read only.` },
  createOnly: { status: 400, message: (p: Field) => `Field '${p.field}' can only be set during record creation.` },
  notNull: { status: 400, message: (p: Field) => `Field '${p.field}' value can not be null.` },
  notEmpty: { status: 400, message: (p: Field) => `Field '${p.field}' value can not be empty.` },
  email: { status: 400, message: (p: Field) => `Field '${p.field}' value must be a valid email address.` },
  url: { status: 400, message: (p: Field) => `Field '${p.field}' value must be a valid URL.` },
  int: { status: 400, message: (p: Field) => `Field '${p.field}' value is not in the valid range.` },
  float: { status: 400, message: (p: Field) => `Field '${p.field}' value is not an acceptable float value.` },
  boolean: { status: 400, message: (p: Field) => `Field '${p.field}' value is not an acceptable boolean value.` },
  invalid: { status: 400, message: (p: Field) => `Field '${p.field}' value is invalid.` },
  tooFew: { status: 400, message: (p: Field) => `Field '${p.field}' value does not contain enough selections.` },
  tooMany: { status: 400, message: (p: Field) => `Field '${p.field}' value contains too many selections.` },
  noRegexp: {
    status: 500,
    message: (p: Field) => `Invalid validation configuration: Field '${p.field}' has no 'regexp'.`,
  },
  noPicklist: {
    status: 500,
    message: (p: Field) =>
      `Invalid validation configuration: Field '${p.field}' has no 'picklist' options in schema settings.`,
  },
  told: { status: 400, message: (p: { text: string }) => p.text, hint: 'The text is that of the rule (on_fail).' },
});
