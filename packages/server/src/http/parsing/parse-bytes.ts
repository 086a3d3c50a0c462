import type { MaybePromise } from '@sluice/contract';
import { bodyBounds } from '../../call/formats/bounds.ts';
import { parseBody } from '../../call/formats/index.ts';
import { isMultipart, parseMultipart } from '../../call/formats/multipart.ts';
import { decodeUtf8 } from '../body.ts';

/** A body of a caller who is known, by its content type: a value, or a failure that says what is wrong with it. */
export const parseBytes = (bytes: Buffer, contentType: string, isForSpreadsheet: boolean): MaybePromise<unknown> =>
  isMultipart(contentType)
    ? parseMultipart(bytes, contentType, bodyBounds.fields)
    : parseBody(decodeUtf8(bytes), contentType, isForSpreadsheet);
