// The form of a call: its values, its body, who makes it; sent to our own address only, and written as code.
import { Autocomplete, FileInput, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { apiAddress } from '../../api/index.ts';
import { CallCode, RunCall, useCaller } from '../../calls/index.ts';
import { ExplainedCall } from '../../explain/index.ts';
import { operationText, useText } from '../../text/index.ts';
import { CodeEditor, dropDownProps } from '../../ui/index.ts';
import classes from './apidocs.module.css';
import { type FormValues, firstValues, isBody, keyOf, missingOf, pathOf, queryOf, questionOf } from './call.ts';
import { completeNames } from './completion.ts';
import { type ApiOperation, namesIn, type OpenApiDocument, type Parameter, sampleOf } from './document.ts';

interface TryCallProps {
  document: OpenApiDocument;
  service: string;
  operation: ApiOperation;
}

export function TryCall({ document, service, operation }: TryCallProps) {
  const t = useText('apidocs');
  const { verb, parameters, body: schema, takesBytes } = operation;
  const [values, setValues] = useState<FormValues>(() => firstValues(operation));
  const [body, setBody] = useState(() =>
    schema && verb !== 'DELETE' ? JSON.stringify(sampleOf(document, schema), null, 2) : '',
  );
  const names = useMemo(() => (schema ? namesIn(document, schema) : new Map<string, string>()), [document, schema]);
  const { caller, credential, choice, roleId } = useCaller({ service }, { hasRoles: true });
  const [file, setFile] = useState<File | null>(null);
  const path = pathOf(service, operation, values);
  const query = queryOf(operation, values);
  const missing = missingOf(operation, values);
  const sent = schema && body.trim() !== '' ? body : undefined;
  const content = takesBytes ? { file: file?.name ?? t('fileName') } : sent === undefined ? {} : { body: sent };
  const isWrong = !isBody(body);
  const call = { address: `${apiAddress()}/${path}`, query: Object.entries(query), credential, verb };
  return (
    <section className={classes.panel} aria-label={t('try')}>
      <h2 className={classes.title}>{t('try')}</h2>
      <div className={classes.form}>
        {choice}
        {parameters.length > 0 ? (
          <div className={classes.inputs}>
            {parameters.map((parameter) => (
              <ParameterInput
                key={keyOf(parameter)}
                parameter={parameter}
                value={values[keyOf(parameter)] ?? ''}
                onChange={(value) => setValues({ ...values, [keyOf(parameter)]: value })}
              />
            ))}
          </div>
        ) : null}
        {schema ? (
          <div>
            <CodeEditor
              label={t('body')}
              language="json"
              value={body}
              onChange={setBody}
              height="14rem"
              complete={(before) => completeNames(before, names)}
            />
            {isWrong ? (
              <p role="alert" className={classes.problem}>
                {t('noJson')}
              </p>
            ) : null}
          </div>
        ) : null}
        {takesBytes ? (
          <FileInput label={t('file')} placeholder={t('chooseFile')} value={file} onChange={setFile} clearable />
        ) : null}
        {roleId === undefined ? <CallCode call={{ ...call, ...content }} /> : null}
        {roleId !== undefined && missing.length === 0 ? (
          <ExplainedCall request={questionOf(roleId, verb, path, sent)} />
        ) : takesBytes && file === null ? (
          <p className={classes.hint}>{t('bytes')}</p>
        ) : missing.length > 0 ? (
          <p className={classes.hint}>{t('missing', { names: missing.join(', ') })}</p>
        ) : isWrong ? null : (
          <RunCall
            key={JSON.stringify([path, query, caller, sent, file?.name, file?.lastModified])}
            path={path}
            query={query}
            caller={caller}
            label={t('send')}
            sending={{ verb, body: file ?? sent }}
            hasHeaders
          />
        )}
      </div>
    </section>
  );
}

interface ParameterInputProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function ParameterInput({ parameter, value, onChange }: ParameterInputProps) {
  const { name, description, values, example, isFlag, isRequired } = parameter;
  const words = {
    label: name,
    description: operationText(description),
    withAsterisk: isRequired,
    classNames: { label: classes.inputLabel ?? '' },
  };
  if (isFlag)
    return (
      <Select
        {...dropDownProps}
        {...words}
        data={['true', 'false']}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
        clearable
      />
    );
  const placeholder = example;
  if (values.length > 0)
    return (
      <Autocomplete {...words} data={values} limit={50} value={value} onChange={onChange} placeholder={placeholder} />
    );
  return (
    <TextInput
      {...words}
      value={value}
      placeholder={placeholder}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
