import { isLimitType, limitRules } from '@sluice/contract';
import { useEditor, useField } from '../../editor/index.ts';
import type { Row } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { describeError, FailedLine, SuggestInput } from '../../ui/index.ts';
import { type Coverage, coverageOf } from './endpoints.ts';
import classes from './limits.module.css';
import type { LimitForm } from './record.ts';
import { useChoices, useEndpoints } from './sources.ts';

/** So many of the paths that a * covers are named. */
const maxPaths = 6;

/** The path after the service: chosen from those the service has, or typed; and which of them it covers. */
export function EndpointInput() {
  const t = useText('limits');
  const { form } = useEditor<LimitForm>();
  const { value, onChange, error: fieldError, disabled, maxLength } = useField<string>('endpoint');
  const service = useServiceName();
  const { endpoints, isLoaded, isLoading, error, retry } = useEndpoints(service);
  const { type } = form.values;
  const reason = error ? describeError(error).messages.join(' ') : '';
  return (
    <div>
      <SuggestInput
        label={t('fields.endpoint')}
        description={t('fields.endpointHint')}
        placeholder="_table/contact"
        required={isLimitType(type) && limitRules(type).needs.includes('endpoint')}
        data={endpoints}
        value={value}
        onChange={onChange}
        isLoading={isLoading}
        maxLength={maxLength}
        disabled={disabled}
        error={
          fieldError ??
          (reason ? <FailedLine onRetry={retry}>{t('fields.endpointsFailed', { reason })}</FailedLine> : undefined)
        }
        autoCapitalize="off"
      />
      {service !== undefined && isLoaded ? (
        <CoverageText coverage={coverageOf(value, endpoints)} service={service} />
      ) : null}
    </div>
  );
}

/** The name of the service that is chosen; undefined until it is known. */
export function useServiceName(): string | undefined {
  const { form, record } = useEditor<LimitForm>();
  const { choices } = useChoices('service');
  const { service_id } = form.values;
  if (service_id === null) return undefined;
  const stored = record?.service_by_service_id as Row | null | undefined;
  return (
    choices.find(({ id }) => id === service_id)?.name ?? (stored?.id === service_id ? String(stored.name) : undefined)
  );
}

function CoverageText({ coverage, service }: { coverage: Coverage; service: string }) {
  const t = useText('limits');
  if (coverage.kind === 'root')
    return (
      <p className={classes.coverage} role="status">
        {t('coverage.root', { service })}
      </p>
    );
  if (coverage.kind === 'exact') {
    const { path, isKnown } = coverage;
    return (
      <p className={classes.coverage} role="status">
        {t('coverage.exact', { path })} {isKnown ? null : t('coverage.unknown', { service })}
      </p>
    );
  }
  const { prefix, paths, ignored } = coverage;
  const shown = paths.slice(0, maxPaths);
  return (
    <div className={classes.coverage} role="status">
      {paths.length === 0
        ? t('coverage.prefixOfNone', { prefix, service })
        : t('coverage.prefix', { prefix, count: paths.length, number: formatNumber(paths.length) })}{' '}
      {ignored === '' ? null : t('coverage.ignored', { ignored })}
      {shown.length > 0 ? (
        <ul className={classes.paths}>
          {shown.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
          {paths.length > shown.length ? (
            <li>{t('coverage.more', { number: formatNumber(paths.length - shown.length) })}</li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}
