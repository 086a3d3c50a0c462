// The text of a body that is whole in memory, in the format the caller asks for. What is long is printed in pieces, and other
// calls have their turn in between.
import type { MaybePromise } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Reservation } from '../call/byte-budget.ts';
import type { ReplyFormat } from '../call/formats/index.ts';
import { isShort, joinParts } from '../call/formats/short.ts';
import type { FormattedBody, RowStream } from '../call/reply.ts';
import { cutIntoPieces, sizeOf } from './pieces.ts';

export type WholeBody = Exclude<FormattedBody, { rows: RowStream }>;

/** The text of a body; as bytes where it is long, which count in the memory for answers as they are made. */
export function printBody(
  body: WholeBody,
  format: ReplyFormat,
  memory?: () => Reservation | undefined,
): MaybePromise<string | Buffer[]> {
  if (!format.print && 'json' in body) return body.json;
  const value: unknown = 'json' in body ? JSON.parse(body.json) : body.value;
  if (!isShort(value)) return printInPieces(value, format, memory?.());
  return format.print ? format.print(value, 'json' in body ? body.fields : undefined) : jsonText(body);
}

export const jsonText = (body: WholeBody): string =>
  'json' in body ? body.json : (JSON.stringify(body.value) ?? 'null');

async function printInPieces(value: unknown, format: ReplyFormat, memory: Reservation | undefined): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (const text of joinParts(format.pieces(value))) {
    const bytes = cutIntoPieces(text);
    memory?.take(sizeOf(bytes));
    pieces.push(...bytes);
    await pause();
  }
  return pieces;
}
