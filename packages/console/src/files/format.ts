import { formatNumber, useText } from '../text/index.ts';

const units = ['bytes', 'kilobytes', 'megabytes', 'gigabytes', 'terabytes'] as const;

/** "812 bytes", "1.4 MB": a size as one reads it. */
export function useSizeText(): (bytes: number | null) => string {
  const t = useText('files');
  return (bytes) => {
    if (bytes === null) return '';
    let [amount, unit] = [bytes, 0];
    while (amount >= 999.5 && unit < units.length - 1) {
      amount /= 1000;
      unit += 1;
    }
    const rounded = unit === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;
    return t(`size.${units[unit]!}`, { count: rounded, size: formatNumber(rounded) });
  };
}
