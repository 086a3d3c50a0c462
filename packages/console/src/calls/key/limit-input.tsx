import { NumberInput, Switch } from '@mantine/core';
import { isLimitPeriod, limitPeriods } from '@sluice/contract';
import { useText } from '../../text/index.ts';
import { SearchSelect } from '../../ui/index.ts';
import classes from '../calls.module.css';
import { agentLimit, type KeyLimit } from './key-form.ts';

/** The largest number a limit may have (contract/system-resources.md §4). */
const maxRate = 2 ** 31 - 1;

interface LimitInputProps {
  value: KeyLimit | null;
  onChange: (limit: KeyLimit | null) => void;
  /** Whether the person may make limits. */
  isAllowed: boolean;
  errors: { rate: string | undefined; period: string | undefined };
}

/** How many calls a key may make in a period, or that nothing counts them. */
export function LimitInput({ value, onChange, isAllowed, errors }: LimitInputProps) {
  const t = useText('calls');
  return (
    <div className={classes.limit}>
      <Switch
        label={t('limit.label')}
        description={t(isAllowed ? 'limit.hint' : 'limit.notAllowed')}
        checked={value !== null}
        disabled={!isAllowed}
        onChange={(event) => onChange(event.currentTarget.checked ? agentLimit : null)}
      />
      {value ? (
        <div className={classes.choices}>
          <NumberInput
            label={t('limit.rate')}
            value={value.rate ?? ''}
            onChange={(rate) => onChange({ ...value, rate: rate === '' ? null : Number(rate) })}
            min={1}
            max={maxRate}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            error={errors.rate}
          />
          <SearchSelect
            label={t('limit.period')}
            data={Object.keys(limitPeriods).map((period) => ({
              value: period,
              label: isLimitPeriod(period) ? t(`limit.periods.${period}`) : period,
            }))}
            value={value.period}
            onChange={(period) => isLimitPeriod(period) && onChange({ ...value, period })}
            searchable={false}
            allowDeselect={false}
            error={errors.period}
          />
        </div>
      ) : null}
    </div>
  );
}
