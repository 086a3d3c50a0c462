// The words of types and periods; what the console does not know stays as the server says it.
import { isLimitPeriod, isLimitType } from '@sluice/contract';
import { formatNumber, text } from '../../text/index.ts';

/** OPEN-181. */
export const typeName = (type: unknown): string =>
  isLimitType(type) ? text(`limits:types.${type}.name`) : String(type ?? '');

/** OPEN-182. */
export const periodName = (period: unknown): string =>
  isLimitPeriod(period) ? text(`limits:periods.${period}`) : String(period ?? '');

/** `60 / Minute` (OPEN-185). */
export const rateText = (rate: unknown, period: unknown): string =>
  `${typeof rate === 'number' ? formatNumber(rate) : String(rate ?? '')} / ${periodName(period)}`;
