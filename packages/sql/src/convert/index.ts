// Values on their way in (`native.ts`) and out (`wire.ts`).
export { type Expression, isExpression, isTypeless, takesEmptyText, toNative, type ValueUse } from './native.ts';
export { rowsFromJson, toWire, type WireColumn, type WireKind, wireColumn, wireRow, wireRowWriter } from './wire.ts';
