import { Button, Checkbox, Group } from '@mantine/core';
import { requestorMask } from '@sluice/contract';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { VerbPicker } from '../../fields/index.ts';
import { useText } from '../../text/index.ts';
import { SearchSelect } from '../../ui/index.ts';
import type { AccessRow } from './access.ts';
import { ComponentInput } from './component-input.tsx';
import { FilterRows } from './filter-rows.tsx';
import classes from './roles.module.css';
import { canFilter, type Service, type Services } from './sources.ts';
import { type ChangeRows, rowUpdate } from './use-rows.ts';

interface AccessFormProps {
  row: AccessRow;
  services: Services;
  changeRows: ChangeRows;
  onDone: (key: string) => void;
  /** Key of the row that was just added, which takes the focus, once. */
  newRowKey: RefObject<string | null>;
}

/** The inputs of the row that is open. */
export function AccessForm({ row, services, changeRows, onDone, newRowKey }: AccessFormProps) {
  const t = useText('roles');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (newRowKey.current !== row.key) return;
    newRowKey.current = null;
    first.current?.focus();
  }, [newRowKey, row.key]);
  const changeRow = (changes: Partial<AccessRow>) => changeRows(rowUpdate({ ...row, ...changes }));
  const service = services.find(row.service_id);
  const filterable = canFilter(services, service);
  const isGone = row.service_id !== null && !service && services.isLoaded;

  // Another service keeps the component: widening it to * could give more than was meant.
  const setService = (id: number | null) =>
    changeRow({ service_id: id, ...(canFilter(services, services.find(id)) ? {} : { filters: [] }) });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as Element;
    // Rights are not saved by the way, by Enter in a field.
    if (event.key === 'Enter' && target.matches('input')) event.preventDefault();
    if (event.key !== 'Escape') return;
    // Closes a menu or the row, not the editor.
    event.preventDefault();
    if (target.closest('[aria-expanded="true"], [role="menu"], [role="listbox"]')) return;
    event.currentTarget.closest('li')?.querySelector('button')?.focus();
    onDone(row.key);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the inputs inside
    <div className={classes.form} onKeyDown={onKeyDown}>
      <div className={classes.parts}>
        <SearchSelect
          ref={first}
          label={t('access.service')}
          data={serviceOptions(
            services.list,
            row.service_id,
            service === undefined,
            t('access.all'),
            isGone ? t('access.gone', { id: row.service_id }) : `#${row.service_id}`,
            (name) => t('access.inactiveChoice', { name }),
          )}
          value={row.service_id === null ? allServices : String(row.service_id)}
          onChange={(value) => setService(value === null || value === allServices ? null : Number(value))}
          error={isGone ? t('access.gone', { id: row.service_id }) : undefined}
          allowDeselect={false}
          nothingFoundMessage={t('access.noService')}
        />
        <ComponentInput
          services={services}
          service={service}
          isAll={row.service_id === null}
          value={row.component}
          onChange={(component) => changeRow({ component })}
        />
        <VerbPicker
          label={t('access.verbs')}
          value={row.verb_mask}
          onChange={(mask) => changeRow({ verb_mask: mask })}
        />
        <Checkbox.Group
          label={t('access.requestor')}
          value={requestorNames.filter((name) => (row.requestor_mask & requestorMask[name]) !== 0)}
          onChange={(selected) =>
            changeRow({
              requestor_mask: requestorNames.reduce(
                (mask, name) => mask | (selected.includes(name) ? requestorMask[name] : 0),
                0,
              ),
            })
          }
        >
          <Group gap="md" className={classes.checks}>
            {requestorNames.map((name) => (
              <Checkbox key={name} value={name} label={t(`access.requestors.${name}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      </div>
      <FilterRows row={row} service={service} isAvailable={filterable} changeRow={changeRow} />
      <Group justify="flex-end">
        <Button variant="default" size="xs" onClick={() => onDone(row.key)}>
          {t('access.done')}
        </Button>
      </Group>
    </div>
  );
}

const requestorNames = Object.keys(requestorMask) as (keyof typeof requestorMask)[];
const allServices = 'all';

/** All first, then the services by name; one that is not there stays as the row's own choice (ROL-033). */
function serviceOptions(
  list: readonly Service[],
  chosen: number | null,
  isUnknown: boolean,
  all: string,
  unknown: string,
  inactive: (name: string) => string,
) {
  const choices = list.map(({ id, name, label, isActive }) => {
    const words = label && label !== name ? `${name} – ${label}` : name;
    return { value: String(id), label: isActive ? words : inactive(words) };
  });
  return [
    { value: allServices, label: all },
    ...(isUnknown && chosen !== null ? [{ value: String(chosen), label: unknown }] : []),
    ...choices,
  ];
}
