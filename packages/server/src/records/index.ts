// The record engine: lists, nested writes and batches of system resources (engine.ts), and how calls ask for it (wire.ts).
// Every row it writes goes through write-row.ts and change.ts.
export { createRecordEngine, type EngineScope, type RecordEngine } from './engine.ts';
export { answerRecords, type ResourceHabits } from './wire.ts';
