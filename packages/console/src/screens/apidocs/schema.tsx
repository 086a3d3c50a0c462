import { operationText, useText } from '../../text/index.ts';
import { Empty } from '../../ui/index.ts';
import { addressOf } from './address.ts';
import classes from './apidocs.module.css';
import { type OpenApiDocument, schemaRows } from './document.ts';
import { type PageOfService, Shell } from './shell.tsx';

/** The fields of a schema. */
export function SchemaPage({ base, service, name }: PageOfService) {
  const t = useText('apidocs');
  return (
    <Shell service={service} title={name} back={{ to: `${addressOf(base, service)}?show=schemas`, label: service }}>
      {(document) => {
        const schemas = document.components?.schemas ?? {};
        return Object.hasOwn(schemas, name) ? (
          <div className={classes.panel}>
            <Fields document={document} schema={schemas[name]} />
          </div>
        ) : (
          <Empty title={t('unknown')} text={t('unknownHint')} />
        );
      }}
    </Shell>
  );
}

/** A schema as a table of its fields; as its type where it has none. */
export function Fields({ document, schema }: { document: OpenApiDocument; schema: unknown }) {
  const t = useText('apidocs');
  const rows = schemaRows(document, schema);
  if (rows.length === 0) return <p className={classes.more}>{t('noFields')}</p>;
  return (
    <ul className={classes.fields} aria-label={t('fields')}>
      {rows.map(({ name, type, isRequired, isKey, values, leadsTo, description }) => (
        <li key={name} className={classes.field}>
          <code className={classes.fieldName}>{name}</code>
          <span className={classes.type}>{type}</span>
          <span className={classes.marks}>
            {isKey ? <span className={classes.mark}>{t('key')}</span> : null}
            {isRequired ? <span className={classes.mark}>{t('required')}</span> : null}
            {leadsTo ? <span className={classes.mark}>→ {leadsTo}</span> : null}
            {values.length > 0 ? <span className={classes.mark}>{values.join(', ')}</span> : null}
          </span>
          {description ? <span className={classes.description}>{operationText(description)}</span> : null}
        </li>
      ))}
    </ul>
  );
}
