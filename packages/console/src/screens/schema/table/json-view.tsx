// The whole table as JSON (SCH-005, SCH-021, SCH-022, OPEN-178).
import { Button, Text } from '@mantine/core';
import { text, useText } from '../../../text/index.ts';
import { CodeEditor, notify } from '../../../ui/index.ts';
import classes from './table.module.css';
import type { TableDraftState } from './use-table-draft.ts';

/** Says whether the JSON can be read, and brings it into shape. */
export function validateJson(draft: TableDraftState): void {
  if (draft.applyJson()) notify.success(text('schema:table.validJson'));
  else notify.error(text('schema:title'), text('schema:table.invalidJson'));
}

export function JsonView({ draft, isReadOnly }: { draft: TableDraftState; isReadOnly: boolean }) {
  const t = useText('schema');
  return (
    <section className={classes.part} aria-label="JSON">
      <Text size="sm" c="var(--s-text-soft)">
        {t('table.jsonHelp')}
      </Text>
      <CodeEditor
        label={t('table.jsonLabel')}
        language="json"
        height="60vh"
        value={draft.json}
        onChange={draft.setJson}
        readOnly={isReadOnly}
      />
    </section>
  );
}

export const ValidateButton = ({ draft }: { draft: TableDraftState }) => {
  const t = useText('schema');
  return (
    <Button size="xs" variant="default" onClick={() => validateJson(draft)}>
      {t('table.validate')}
    </Button>
  );
};
