import { SegmentedControl } from '@mantine/core';
import { useText } from '../text/index.ts';
import { CopyButton } from '../ui/index.ts';
import classes from './calls.module.css';

interface CodeChoiceProps<Id extends string> {
  /** What is chosen between, for the control above the code. */
  label: string;
  forms: readonly { id: Id; label: string }[];
  value: Id;
  onChange: (id: Id) => void;
  code: string;
  codeLabel: string;
}

/** Text in one of several forms, to be copied. */
export function CodeChoice<Id extends string>({ label, forms, value, onChange, code, codeLabel }: CodeChoiceProps<Id>) {
  const t = useText('calls');
  return (
    <div className={classes.code}>
      <div className={classes.codeHead}>
        <SegmentedControl
          size="xs"
          aria-label={label}
          data={forms.map((form) => ({ value: form.id, label: form.label }))}
          value={value}
          onChange={(id) => onChange(id as Id)}
        />
        <CopyButton value={code} thing={t('code.thing')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard */}
      <section className={classes.codeText} tabIndex={0} aria-label={codeLabel}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </div>
  );
}
