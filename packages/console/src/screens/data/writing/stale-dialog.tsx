import { ConflictDialog } from '../../../editor/index.ts';
import { useStore } from '../../../ui/index.ts';
import { binaryText } from '../values/cell-value.tsx';
import { inputKind } from '../values/values.ts';
import { staleQuestion } from './stale.ts';

/** Where Data asks about a record that somebody else changed first; once, around its tables. */
export function StaleDialog() {
  const question = useStore(staleQuestion);
  if (!question) return null;
  const { conflict, name, schema, answer } = question;
  const isBinary = (field: string) =>
    schema.field.some((one) => one.name === field && inputKind(one.type) === 'binary');
  const keep = () => answer(null);
  return (
    <ConflictDialog
      conflict={{ ...conflict, retry: async () => {} }}
      name={name}
      isSaving={false}
      describeValue={(field, value) => (isBinary(field) && value !== null ? binaryText(value) : undefined)}
      onResolve={answer}
      onDelete={() => answer('delete')}
      onSaveAsNew={keep}
      onDiscard={keep}
      onClose={keep}
    />
  );
}
