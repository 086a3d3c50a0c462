import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { requestorMask } from '@sluice/contract';
import { IconAlertTriangle, IconChevronDown, IconTrash } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { formatNumber, useText } from '../../text/index.ts';
import { ServiceTypeIcon } from '../../ui/index.ts';
import { type AccessRow, isEverything } from './access.ts';
import classes from './roles.module.css';
import { verbNames } from './warnings.ts';

/** What of a row is not saved. */
export type Unsaved = 'new' | 'changed' | null;

/** What a row shows besides what it holds. */
export interface RowSummary {
  /** Its place among all rows, from 1. */
  number: number;
  /** Name of the service; null for all. */
  service: string | null;
  /** Its type, as far as it is known. */
  type: { name: string; group: string } | undefined;
  /** Whether the row points to a service that is not there, or not for this person. */
  isGone: boolean;
  isInactive: boolean;
  canFilter: boolean;
  /** What the row gives, as a sentence. */
  meaning: string;
  /** What surprises, a line each. */
  warnings: string;
}

interface AccessLineProps extends RowSummary {
  row: AccessRow;
  index: number;
  rowCount: number;
  unsaved: Unsaved;
  hasError: boolean;
  isOpen: boolean;
  onToggle: (key: string) => void;
  onRemove: (key: string) => void;
  /** Measures the element, where heights matter. */
  measure: ((element: HTMLElement | null) => void) | undefined;
  /** The row's inputs, while it is open. */
  children: ReactNode;
}

/** One row: what it holds, what it gives, and what surprises. Rendered again only when something of it changed. */
export const AccessLine = memo(function AccessLine(props: AccessLineProps) {
  const { row, index, rowCount, number, service, type, isGone, isInactive, canFilter, meaning, warnings } = props;
  const { unsaved, hasError, isOpen, measure } = props;
  const t = useText('roles');
  const panel = `access-${row.key}`;
  const serviceText = service === null ? t('access.all') : isGone ? t('access.gone', { id: row.service_id }) : service;
  return (
    <li
      ref={measure}
      className={classes.row}
      data-index={index}
      data-open={isOpen || undefined}
      data-wrong={hasError || undefined}
      aria-setsize={rowCount}
      aria-posinset={index + 1}
    >
      <div className={classes.line}>
        <span className={classes.number} aria-hidden>
          {formatNumber(number)}
        </span>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => props.onToggle(row.key)}
        >
          <span className={classes.service} data-gone={isGone || undefined}>
            {type ? <ServiceTypeIcon type={type.name} group={type.group} /> : null}
            {serviceText}
            {isInactive ? <span className={classes.inactive}>{t('access.inactiveService')}</span> : null}
            {unsaved ? <span className={classes.unsaved}>{t(`access.${unsaved}`)}</span> : null}
          </span>
          <code className={classes.component}>{row.component.trim() || t('access.root')}</code>
          <span>{verbsText(row.verb_mask, t('access.everything'), t('access.nothing'))}</span>
          <span>{requestorText(row.requestor_mask) || t('access.nobody')}</span>
          <span data-quiet={!canFilter || row.filters.length === 0 || undefined}>
            {canFilter
              ? row.filters.length > 0
                ? t('access.filterCount', { count: row.filters.length })
                : '–'
              : t('access.na')}
          </span>
          <IconChevronDown className={classes.chevron} aria-hidden />
          <VisuallyHidden>{t('access.row', { number: formatNumber(number) })}</VisuallyHidden>
          {hasError ? <VisuallyHidden>{t('access.wrong')}</VisuallyHidden> : null}
        </button>
        <ActionIcon
          className={classes.remove ?? ''}
          aria-label={t('access.removeRow', { service: serviceText, component: row.component || t('access.root') })}
          title={t('access.remove')}
          onClick={() => props.onRemove(row.key)}
        >
          <IconTrash className={classes.icon} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.means}>{meaning}</p>
      {warnings === '' ? null : (
        <ul className={classes.warnings}>
          {warnings.split('\n').map((warning) => (
            <li key={warning}>
              <IconAlertTriangle className={classes.warningIcon} aria-hidden />
              {warning}
            </li>
          ))}
        </ul>
      )}
      {props.children ? (
        <div id={panel} className={classes.panel}>
          {props.children}
        </div>
      ) : null}
    </li>
  );
});

const verbsText = (mask: number, everything: string, nothing: string): string =>
  isEverything(mask) ? everything : verbNames(mask) || nothing;

/** OPEN-056: the names, joined. */
const requestorText = (mask: number): string =>
  Object.entries(requestorMask)
    .filter(([, bit]) => (mask & bit) !== 0)
    .map(([name]) => name)
    .join(', ');
