import { useMemo } from 'react';
import { answerText, operationText, useText } from '../../text/index.ts';
import { Empty } from '../../ui/index.ts';
import { addressOf } from './address.ts';
import classes from './apidocs.module.css';
import { type ApiOperation, type OpenApiDocument, readOperations } from './document.ts';
import { Fields } from './schema.tsx';
import { type PageOfService, Shell, Verb } from './shell.tsx';
import { TryCall } from './try-call.tsx';

/** One operation: what it takes and answers, and the form that makes the call. */
export function OperationPage({ base, service, name }: PageOfService) {
  return (
    <Shell service={service} title={name} back={{ to: addressOf(base, service), label: service }}>
      {(document) => <Found document={document} service={service} name={name} />}
    </Shell>
  );
}

function Found({ document, service, name }: { document: OpenApiDocument; service: string; name: string }) {
  const t = useText('apidocs');
  const operation = useMemo(() => readOperations(document).find(({ id }) => id === name), [document, name]);
  if (!operation) return <Empty title={t('unknown')} text={t('unknownHint')} />;
  return <Operation document={document} service={service} operation={operation} />;
}

function Operation(props: { document: OpenApiDocument; service: string; operation: ApiOperation }) {
  const t = useText('apidocs');
  const { document, operation } = props;
  const { verb, path, summary, description, body, answers } = operation;
  return (
    <div className={classes.operation}>
      <header className={classes.head}>
        <p className={classes.address}>
          <Verb verb={verb} />
          <code>{path}</code>
        </p>
        <p>{operationText(summary)}</p>
        {description ? <p className={classes.hint}>{operationText(description)}</p> : null}
      </header>
      <TryCall {...props} />
      {body ? (
        <section className={classes.panel} aria-label={t('body')}>
          <h2 className={classes.title}>{t('body')}</h2>
          <Fields document={document} schema={recordsOf(body)} />
        </section>
      ) : null}
      <section className={classes.panel} aria-label={t('answers')}>
        <h2 className={classes.title}>{t('answers')}</h2>
        {answers.map((answer) => (
          <details key={answer.status} className={classes.answer} open={answer.status.startsWith('2')}>
            <summary>
              <code>{answer.status}</code> <span className={classes.words}>{answerText(answer.description)}</span>
            </summary>
            {answer.schema ? <Fields document={document} schema={recordsOf(answer.schema)} /> : null}
          </details>
        ))}
      </section>
    </div>
  );
}

/** Of a list of records their schema: what wraps them is the same everywhere. */
function recordsOf(schema: Record<string, unknown>): unknown {
  const { resource } = (schema.properties ?? {}) as { resource?: { items?: unknown } };
  return resource?.items ?? schema;
}
