import { SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useText } from '../text/index.ts';
import { CopyButton } from '../ui/index.ts';
import classes from './calls.module.css';
import type { ApiCall } from './code/call.ts';
import { type CodeLanguage, languages } from './code/languages.ts';

/** A call as code in the language one chose last, to be copied. */
export function CallCode({ call }: { call: ApiCall }) {
  const t = useText('calls');
  const [chosen, setChosen] = useLocalStorage<CodeLanguage>({
    key: 'sluice.callLanguage',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  const language = languages.find(({ id }) => id === chosen) ?? languages[0];
  const code = language.write(call);
  return (
    <div className={classes.code}>
      <div className={classes.codeHead}>
        <SegmentedControl
          size="xs"
          aria-label={t('code.language')}
          data={languages.map(({ id, label }) => ({ value: id, label }))}
          value={language.id}
          onChange={(value) => setChosen(value as CodeLanguage)}
        />
        <CopyButton value={code} thing={t('code.thing')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard */}
      <section className={classes.codeText} tabIndex={0} aria-label={t('code.label', { language: language.label })}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </div>
  );
}
