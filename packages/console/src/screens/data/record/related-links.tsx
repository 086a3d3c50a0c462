import { Link, useLocation } from 'react-router';
import { useText } from '../../../text/index.ts';
import type { Schema } from '../address/sources.ts';
import { childRelations, relatedLocation } from './related.ts';
import classes from './related-links.module.css';

interface RelatedLinksProps {
  service: string;
  table: string;
  schema: Schema;
  recordKey: readonly string[];
}

/** Links from a record to the tables that belong to it (TBL-007, OPEN-131). */
export function RelatedLinks({ service, table, schema, recordKey }: RelatedLinksProps) {
  const t = useText('data');
  const location = useLocation();
  const relations = childRelations(schema);
  if (relations.length === 0) return null;
  return (
    <nav className={classes.links} aria-label={t('child.title')}>
      <h3 className={classes.linksTitle}>{t('child.title')}</h3>
      <ul>
        {relations.map(({ name, label }) => (
          <li key={name}>
            <Link to={relatedLocation(service, table, location, recordKey, name)}>{label || name}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
