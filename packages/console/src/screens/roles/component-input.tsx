import { useEffect } from 'react';
import { declaredRules } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, FailedLine, notify, ServiceConfigLink, SuggestInput } from '../../ui/index.ts';
import { type Service, type Services, useComponents } from './sources.ts';

const maxLength = declaredRules('role_service_access', 'component').max;

interface ComponentInputProps {
  services: Services;
  service: Service | undefined;
  isAll: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** A row's component: chosen from those the service tells, or typed, since any may stand in a row (ROL-031). */
export function ComponentInput({ services, service, isAll, value, onChange }: ComponentInputProps) {
  const t = useText('roles');
  const { components, isLoading, error, retry } = useComponents(services, service, true);
  const reason = error ? describeError(error).messages.join(' ') : '';
  const title = t('title');
  useEffect(() => {
    if (error) notify.error(title, error);
  }, [error, title]);

  return (
    <SuggestInput
      label={t('access.component')}
      description={isAll ? t('access.componentAll') : t('access.componentHint')}
      data={components}
      value={value}
      onChange={onChange}
      isLoading={isLoading}
      renderOption={({ option }) => option.value || t('access.root')}
      placeholder={t('access.root')}
      maxLength={maxLength}
      error={
        reason ? (
          <FailedLine onRetry={retry}>
            {`${t('access.serviceError')}: ${reason}`} <ServiceConfigLink error={error} kind="text" />
          </FailedLine>
        ) : undefined
      }
    />
  );
}
