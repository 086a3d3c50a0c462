// The line below the fields: a name, a type, Enter, and the next one.
import { Autocomplete, Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useText } from '../../../text/index.ts';
import { dropDownProps } from '../../../ui/index.ts';
import { type FieldDraft, fieldProblem, newField } from '../draft/field.ts';
import { quickField } from '../draft/quick-type.ts';
import { fieldTypes } from '../field/types.ts';
import classes from './table.module.css';

interface QuickFieldProps {
  others: readonly { name: string }[];
  /** Tables that a reference may lead to. */
  tables: readonly string[];
  /** Why it was not added; null: it was, and the line may be empty again. */
  onAdd: (field: FieldDraft) => string | null | Promise<string | null>;
}

const maxReferences = 40;

export function QuickField({ others, tables, onAdd }: QuickFieldProps) {
  const t = useText('schema');
  const [name, setName] = useState('');
  const [type, setType] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const problemId = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  const typeInput = useRef<HTMLInputElement>(null);

  const suggestions = [...fieldTypes.filter((candidate) => candidate !== 'reference'), ...referencesTo(tables, type)];
  const add = async () => {
    if (isAdding) return;
    const field = quickField(name, type);
    const found =
      name.trim() !== '' && type.trim() !== '' && !field
        ? t('table.unknownType', { type })
        : fieldProblem(field ?? newField(name), others);
    setProblem(found);
    if (found !== null || !field) return;
    setAdding(true);
    const refusal = await onAdd(field);
    setAdding(false);
    setProblem(refusal);
    if (refusal !== null) return;
    setName('');
    setType('');
    nameInput.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // With a suggestion marked, Enter takes that.
    const isChoosing = event.currentTarget.getAttribute('aria-activedescendant') !== null;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isChoosing) return;
    event.preventDefault();
    event.stopPropagation();
    // From the name to the type, from there into the table.
    if (event.currentTarget === nameInput.current && type === '') typeInput.current?.focus();
    else void add();
  };
  return (
    <fieldset className={classes.quick} aria-label={t('table.quick')}>
      <TextInput
        ref={nameInput}
        aria-label={t('table.quickName')}
        placeholder={t('table.quickName')}
        value={name}
        error={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        data-quick-name
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
      />
      <Autocomplete
        ref={typeInput}
        aria-label={t('table.quickType')}
        placeholder={t('table.quickTypeHint')}
        value={type}
        onChange={(value) => {
          setType(value);
          setProblem(null);
        }}
        data={suggestions}
        limit={50}
        {...dropDownProps}
        onKeyDown={onKeyDown}
        spellCheck={false}
      />
      <Button variant="default" onClick={() => void add()} loading={isAdding}>
        {t('table.quickAdd')}
      </Button>
      {problem === null ? null : (
        <p id={problemId} role="alert" className={classes.quickProblem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The references one may mean: only those that begin with what is typed of the table. */
function referencesTo(tables: readonly string[], typed: string): string[] {
  const [, start = ''] = /^(?:reference|fk|->)\s+(\S*)/i.exec(typed) ?? [];
  return tables
    .filter((table) => table.toLowerCase().startsWith(start.toLowerCase()))
    .slice(0, maxReferences)
    .map((table) => `reference ${table}`);
}
