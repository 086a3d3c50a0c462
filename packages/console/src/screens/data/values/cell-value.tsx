import type { FieldDescription } from '@sluice/contract';
import { formatNumber, text } from '../../../text/index.ts';
import classes from './cell-value.module.css';
import { decodedLength, inputKind, truncateText, valueText } from './values.ts';

/**
 * A stored value as a cell shows it: as the database has it, null distinct from an empty text, long texts cut. There are many of them,
 * so none subscribes to the language itself: the component that renders them does.
 */
export function CellValue({ field, value }: { field: FieldDescription; value: unknown }) {
  if (value === null || value === undefined) return <span className={classes.null}>{text('data:null')}</span>;
  const kind = inputKind(field.type);
  if (kind === 'binary') {
    // A key shows its bytes: their number would not tell records apart.
    const bytes = field.is_primary_key ? hexText(value) : binaryText(value);
    return <span className={classes.binary}>{bytes}</span>;
  }
  if (kind === 'boolean' && typeof value === 'boolean') {
    return (
      <span className={classes.boolean} data-on={value || undefined}>
        {text(value ? 'data:true' : 'data:false')}
      </span>
    );
  }
  return truncateText(valueText(value));
}

/** `BINARY DATA · 3 bytes` (OPEN-127). */
export function binaryText(value: unknown): string {
  const bytes = typeof value === 'string' ? decodedLength(value) : 0;
  return `${text('data:binary')} · ${sizeText(bytes)}`;
}

/** `0x00ff1027` */
const hexText = (value: unknown): string => {
  const bytes = typeof value === 'string' ? atob(value) : '';
  return truncateText(`0x${Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}`);
};

function sizeText(bytes: number): string {
  const [key, unit] =
    bytes < 1024
      ? (['bytes', 1] as const)
      : bytes < 1024 ** 2
        ? (['kilobytes', 1024] as const)
        : (['megabytes', 1024 ** 2] as const);
  return text(`data:${key}`, { size: formatNumber(Math.round((bytes / unit) * 10) / 10) });
}
