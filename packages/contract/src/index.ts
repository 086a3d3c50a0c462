// What the server and the console agree on: shapes, words, errors. No I/O, no import of ours.

export type * from './api-key.ts';
export * from './append-to.ts';
export * from './braces.ts';
export type * from './config-fields.ts';
export * as configField from './config-fields.ts';
export { configSchema, hasSecrets, secretMask } from './config-fields.ts';
export * from './errors/index.ts';
export * from './exact-number.ts';
export type * from './explain.ts';
export * from './explain-reasons.ts';
export * from './limits.ts';
export * from './list-query.ts';
export * from './maybe-promise.ts';
export type * from './page-ahead.ts';
export * from './record-filters.ts';
export { reservedAddresses } from './reserved-addresses.ts';
export type { FieldRules, RecordOf, ResourceDefinition, ResourceField, ResourceRelation } from './resource.ts';
export { textLengths } from './resource.ts';
export * from './resources/index.ts';
export type * from './schema-plan.ts';
export type * from './service-type-words.ts';
export * from './service-types.ts';
export * from './session.ts';
export * from './table.ts';
export * from './usage-sentences.ts';
export * from './use.ts';
export * from './verbs.ts';
