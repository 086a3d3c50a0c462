import { useLocalStorage } from '@mantine/hooks';
import { useText } from '../text/index.ts';
import type { ApiCall } from './code/call.ts';
import { type CodeLanguage, languages } from './code/languages.ts';
import { CodeChoice } from './code-choice.tsx';

/** A call as code in the language one chose last, to be copied. */
export function CallCode({ call }: { call: ApiCall }) {
  const t = useText('calls');
  const [chosen, setChosen] = useLocalStorage<CodeLanguage>({
    key: 'sluice.callLanguage',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  const language = languages.find(({ id }) => id === chosen) ?? languages[0];
  return (
    <CodeChoice<CodeLanguage>
      label={t('code.language')}
      forms={languages}
      value={language.id}
      onChange={setChosen}
      code={language.write(call)}
      codeLabel={t('code.label', { language: language.label })}
    />
  );
}
