/**
 * What the body of a caller who is known may hold (docs/operations.md, "Bounds of a body"): memory and time follow from the
 * number of values and of different names, not from bytes alone.
 */
export const bodyBounds = {
  /** Objects, lists and single values of JSON, elements and attributes of XML, cells of CSV. */
  values: 500_000,
  /** Different names of fields, elements or columns. */
  names: 20_000,
  /** Numbers of JSON with more digits than a double carries. */
  longNumbers: 50_000,
  /** Fields of a form or of a multipart body. */
  fields: 1_000,
};
