// Values on their way in (`native.ts`) and out (`wire.ts`).
export { type Expression, isExpression, isTypeless, toNative, type Use } from './native.ts';
export { rowWriter, textRows, toWire, type WireColumn, type WireKind, wireColumn, wireRow } from './wire.ts';
