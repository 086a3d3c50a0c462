// What engines reached over a network share: a pool with limits, the schema cache, the write modes, JSON out of the
// text a database sends. An engine brings the parts of engine.ts and gets a `Database` from `openNetworkDatabase`.
export { type NetworkOptions, openNetworkDatabase } from './connect.ts';
export type * from './engine.ts';
export { type TextWriter, textWriters, writeBoolean, writeNumber, writeText } from './json.ts';
export { JsonCollector } from './json-collector.ts';
export { type Framing, type MessageStream, readInRounds } from './read-in-rounds.ts';
export { needsTransaction, writeAndReadBack } from './returning-emulation.ts';
export type {
  PlanContext,
  PlannedChange,
  PlannedStatement,
  SchemaChanges,
} from './schema-editor.ts';
export type { RealWrite } from './write.ts';
