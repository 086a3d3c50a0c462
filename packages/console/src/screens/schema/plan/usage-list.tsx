import { Button } from '@mantine/core';
import { useState } from 'react';
import { useEditorAddress } from '../../../frame/screen-list.ts';
import { useText } from '../../../text/index.ts';
import classes from './plan.module.css';
import { usageText } from './sentences.ts';
import { groupByKind, type Usage } from './usage.ts';

/** So many places are shown at once; the rest when asked for. */
const shownAtOnce = 50;

/** Places that name a table or a field, by kind. Links open beside: what is edited here stays. */
export function UsageList({ entries }: { entries: readonly Usage[] }) {
  const t = useText('schema');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, shownAtOnce);
  return (
    <>
      <dl className={classes.usage}>
        {groupByKind(shown).map(({ kind, entries }) => (
          <div key={kind}>
            <dt>{t(`plan.kinds.${kind}`)}</dt>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries of one answer, in their order
              <dd key={index}>
                <PlaceName entry={entry} /> {usageText(entry)}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {shown.length < entries.length ? (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('plan.showAll', { count: entries.length })}
        </Button>
      ) : null}
    </>
  );
}

/** The record it stands in, with its editor. */
function PlaceName({ entry: { kind, id, name } }: { entry: Usage }) {
  const editorAddress = useEditorAddress();
  const address = editorAddress(kind === 'role' || kind === 'recordFilter' ? 'role' : 'service', id);
  return address ? (
    <a href={address} target="_blank" rel="noopener" className={classes.link}>
      {name}
    </a>
  ) : (
    <strong>{name}</strong>
  );
}
