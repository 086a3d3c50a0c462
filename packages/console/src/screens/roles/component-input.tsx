import { Autocomplete, Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { declaredRules } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, dropDownProps, FailedLine, notify, ServiceConfigLink } from '../../ui/index.ts';
import classes from './roles.module.css';
import { type Service, type Services, useComponents } from './sources.ts';

/** Menus stay quick when a database has thousands of tables; typing narrows them. */
const maxOptions = 200;
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
  // The text that stands there when the menu opens does not filter; what is typed from then on does.
  const textOnFocus = useRef(value);

  return (
    <Autocomplete
      {...dropDownProps}
      label={t('access.component')}
      description={isAll ? t('access.componentAll') : t('access.componentHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...components]}
      value={value}
      onChange={onChange}
      onFocus={() => {
        textOnFocus.current = value;
      }}
      filter={({ options, search, limit }) => {
        const searched = search === textOnFocus.current ? '' : search.trim().toLowerCase();
        const matching = options.filter((option) => 'value' in option && option.value.toLowerCase().includes(searched));
        return matching.slice(0, limit);
      }}
      limit={maxOptions}
      renderOption={({ option }) => option.value || t('access.root')}
      placeholder={t('access.root')}
      maxLength={maxLength}
      rightSection={isLoading ? <Loader size="xs" /> : undefined}
      error={
        reason ? (
          <FailedLine onRetry={retry}>
            {`${t('access.serviceError')}: ${reason}`} <ServiceConfigLink error={error} kind="text" />
          </FailedLine>
        ) : undefined
      }
      classNames={{ ...dropDownProps.classNames, input: classes.mono ?? '' }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
