import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useText } from '../../text/index.ts';
import { SearchSelect } from '../../ui/index.ts';
import { addAll, addItems, appFolders, type ContentRow, hasAllOf, isOfPlace } from './content.ts';
import { ItemList } from './item-list.tsx';
import { type ItemId, type Place, placeKey } from './manifest.ts';
import classes from './package-manager.module.css';
import type { Loaded } from './sources.ts';

interface ContentPickerProps {
  loaded: Loaded;
  rows: readonly ContentRow[];
  onChange: (rows: readonly ContentRow[]) => void;
}

/** Choosing what goes into the package: a type, a name, items (PKG-004, OPEN-212). */
export function ContentPicker({ loaded, rows, onChange }: ContentPickerProps) {
  const t = useText('packages');
  const { places, apps, serviceNames } = loaded;
  const [type, setType] = useState<string | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const types = useMemo(() => [...new Map(places.map((place) => [place.type, place.typeLabel]))], [places]);
  const ofType = places.filter((place) => place.type === type);
  const place = ofType.find((place) => placeKey(place) === key);
  const choose = (next: Place | undefined) => {
    setKey(next ? placeKey(next) : null);
    setProblem(null);
  };

  const isAllAdded = place !== undefined && hasAllOf(rows, place);
  /** Adds to the content, with the folders of apps; what is there as a whole cannot be added to (PKG-024). */
  const add = (place: Place, items: readonly ItemId[] | null, withRecords: boolean) => {
    if (isAllAdded && !needsRecords(rows, place, withRecords))
      return setProblem(t('choose.allSelected', { type: place.typeLabel, name: place.name }));
    setProblem(null);
    let next = items === null ? addAll(rows, place, withRecords) : addItems(rows, place, items, withRecords);
    if (place.kind === 'system' && place.name === 'app') {
      const names = items ?? place.items.map(({ id }) => id);
      for (const { service, folder } of appFolders(names, apps, serviceNames))
        if (!hasAllOf(next, { kind: 'files', name: service }))
          next = addItems(next, { kind: 'files', name: service }, [folder]);
    }
    onChange(next);
  };
  const added = useMemo(
    () => new Set(place ? rows.flatMap((row) => (isOfPlace(row, place) && row.item !== null ? [row.item] : [])) : []),
    [rows, place],
  );

  return (
    <div className={classes.picker}>
      <div className={classes.pair}>
        <SearchSelect
          label={t('choose.type')}
          placeholder={t('choose.typePlaceholder')}
          nothingFoundMessage={t('choose.noType')}
          data={types.map(([value, label]) => ({ value, label }))}
          value={type}
          allowDeselect={false}
          onChange={(next) => {
            setType(next);
            const only = places.filter((place) => place.type === next);
            choose(only.length === 1 ? only[0] : undefined);
          }}
        />
        <SearchSelect
          label={t('choose.name')}
          placeholder={t('choose.namePlaceholder')}
          nothingFoundMessage={t('choose.noName')}
          disabled={type === null}
          data={ofType.map((place) => ({
            value: placeKey(place),
            label: place.isAvailable ? place.name : `${place.name} ${t('choose.unavailable')}`,
          }))}
          value={key}
          allowDeselect={false}
          onChange={(next) => choose(ofType.find((place) => placeKey(place) === next))}
        />
      </div>
      {place && !place.isAvailable ? (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('choose.unreachable', { name: place.name })}
        </Alert>
      ) : null}
      {place ? (
        <ItemList
          key={placeKey(place)}
          place={place}
          added={added}
          isAllAdded={isAllAdded}
          onAdd={(items, withRecords) => add(place, items, withRecords)}
          onAddAll={(withRecords) => add(place, null, withRecords)}
          problem={problem}
        />
      ) : null}
    </div>
  );
}

/** Whether all tables of a database are in the content without the records that are wanted now. */
const needsRecords = (rows: readonly ContentRow[], place: Place, withRecords: boolean): boolean =>
  withRecords && rows.some((row) => isOfPlace(row, place) && row.item === null && !row.withRecords);
