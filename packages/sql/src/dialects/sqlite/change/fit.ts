// Which values of a column fit another type, and what becomes of them: as SQL over the column.
import type { MisfitProblem } from '../../../change/index.ts';
import { type NativeType, nativeType, simpleType } from '../types.ts';

type Category = 'integer' | 'number' | 'boolean' | 'text' | 'binary' | 'temporal';

function categoryOf(type: NativeType): Category {
  switch (simpleType(type)) {
    case 'integer':
    case 'bigint':
      return 'integer';
    case 'float':
    case 'double':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'binary':
      return 'binary';
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return 'temporal';
    default:
      return 'text';
  }
}

/** What a change of type means to the values of a column. */
export interface TypeFit {
  /** The value that is copied. */
  convert(value: string): string;
  /** The value as the new column holds it, to be compared. */
  compared(value: string): string;
  /** Conditions that values which do not fit meet; null meets none. */
  misfits: { problem: MisfitProblem; condition(value: string): string }[];
}

const same = (value: string) => value;
/** What is no number does not fit, which is told apart: to be compared with others it is itself. */
const numberOrSame = (value: string, word: 'integer' | 'numeric') =>
  `case when ${value} = cast(${value} as numeric) then cast(${value} as ${word}) else ${value} end`;

const truths = "'1', '1.0', 'true', 't', 'yes', 'y', 'on'";
const untruths = "'0', '0.0', 'false', 'f', 'no', 'n', 'off'";
const asWord = (value: string) => `lower(trim(cast(${value} as text)))`;

/** How the values of a column of one declared type fit another. */
export function typeFit(oldWord: string, newWord: string): TypeFit {
  const [oldType, newType] = [nativeType(oldWord), nativeType(newWord)];
  const [from, to] = [categoryOf(oldType), categoryOf(newType)];
  const isOther = from !== to || oldType.text === '';
  const fit: TypeFit = { convert: same, compared: same, misfits: [] };
  const refuse = (problem: MisfitProblem, condition: (value: string) => string) =>
    fit.misfits.push({ problem, condition });
  switch (to) {
    case 'integer':
      if (!isOther) break;
      // Compared with a number, a text that is one counts as one, and any other does not.
      refuse(
        'wrongType',
        (value) =>
          `${value} is not null and not (${value} = cast(${value} as numeric) and cast(${value} as numeric) = cast(${value} as integer))`,
      );
      fit.compared = (value) => numberOrSame(value, 'integer');
      break;
    case 'number':
      if (isOther) {
        refuse('wrongType', (value) => `${value} is not null and not (${value} = cast(${value} as numeric))`);
        fit.compared = (value) => numberOrSame(value, 'numeric');
      }
      refuseDigits(oldType, newType, isOther, refuse);
      break;
    case 'boolean':
      if (!isOther) break;
      refuse('wrongType', (value) => `${value} is not null and ${asWord(value)} not in (${truths}, ${untruths})`);
      fit.convert = (value) =>
        `case when ${asWord(value)} in (${truths}) then 1 when ${asWord(value)} in (${untruths}) then 0 else ${value} end`;
      fit.compared = fit.convert;
      break;
    case 'text': {
      if (isOther) {
        refuse('wrongType', (value) => `typeof(${value}) = 'blob'`);
        fit.compared = (value) => `case typeof(${value}) when 'blob' then ${value} else cast(${value} as text) end`;
      }
      const { length } = newType;
      if (length !== null && simpleType(newType) === 'string') {
        const oldLength = isOther || simpleType(oldType) !== 'string' ? null : oldType.length;
        if (oldLength === null || oldLength > length)
          refuse('tooLong', (value) => `typeof(${value}) <> 'blob' and length(${value}) > ${length}`);
      }
      break;
    }
    case 'binary':
      if (!isOther) break;
      fit.convert = (value) => `cast(${value} as blob)`;
      fit.compared = fit.convert;
      break;
    case 'temporal':
      // A text is no reason to refuse: SQLite has no type for moments, and files hold them in many ways.
      if (isOther) refuse('wrongType', (value) => `typeof(${value}) = 'blob'`);
      break;
  }
  return fit;
}

/** `decimal(10,2)`: eight digits before the point, two behind. */
function refuseDigits(
  oldType: NativeType,
  newType: NativeType,
  isOther: boolean,
  refuse: (problem: MisfitProblem, condition: (value: string) => string) => void,
): void {
  const { precision, scale } = newType;
  if (simpleType(newType) !== 'decimal' || precision === null || scale === null) return;
  const hadRoom =
    !isOther &&
    simpleType(oldType) === 'decimal' &&
    oldType.precision !== null &&
    oldType.scale !== null &&
    oldType.scale <= scale &&
    oldType.precision - oldType.scale <= precision - scale;
  if (hadRoom) return;
  refuse(
    'tooLong',
    (value) =>
      `${value} = cast(${value} as numeric) and (abs(${value}) >= 1e${precision - scale} or round(${value}, ${scale}) <> cast(${value} as numeric))`,
  );
}
