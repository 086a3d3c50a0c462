import { Alert, Anchor, Button, Checkbox, PasswordInput, Text } from '@mantine/core';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useRef } from 'react';
import { Link } from 'react-router';
import { Section } from '../../editor/index.ts';
import { useHasScreen } from '../../frame/screen-list.ts';
import { isAppPackage, PackageInput, PackageRefused, UploadProgress } from '../../packages/index.ts';
import { formatNumber, serverText, useText } from '../../text/index.ts';
import classes from './package-manager.module.css';
import { type ImportController, type ImportLog, type ImportOutcome, packageEndings } from './use-import.ts';

/** So many messages of a level are listed; the others are counted. */
const maxListed = 500;

/** Importing a package: a file or an address, and what came of it (PKG-002, PKG-003, OPEN-219). */
export function ImportTab({ importing }: { importing: ImportController }) {
  const t = useText('packages');
  const { source, overwrites, password, errors, outcome, upload } = importing;
  const input = useRef<HTMLInputElement>(null);
  const hasScreen = useHasScreen();
  const isOfApp = isAppPackage(source);
  const isRunning = upload !== null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await importing.run())) input.current?.focus();
  };
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <Section title={t('import.title')} text={t('import.hint')}>
        <PackageInput
          inputRef={input}
          label={t('import.file')}
          placeholder={t('import.filePlaceholder')}
          endings={packageEndings}
          source={source}
          onChange={importing.setSource}
          error={errors.source}
          disabled={isRunning}
        />
        {isOfApp ? (
          <Text size="sm" c="var(--s-text-soft)">
            {t('import.ofApp')}{' '}
            {hasScreen('/apps') ? (
              <Anchor component={Link} to="/apps/import" inherit>
                {t('import.toApps')}
              </Anchor>
            ) : null}
          </Text>
        ) : (
          <>
            <PasswordInput
              label={t('import.password')}
              placeholder={t('optional')}
              description={t('import.passwordHint')}
              value={password}
              error={errors.password}
              disabled={isRunning}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
              onChange={(event) => importing.setPassword(event.currentTarget.value)}
            />
            <Checkbox
              label={t('import.overwrite')}
              description={t(overwrites ? 'import.overwriteOn' : 'import.overwriteOff')}
              checked={overwrites}
              disabled={isRunning}
              onChange={(event) => importing.setOverwrites(event.currentTarget.checked)}
            />
          </>
        )}
        {upload ? <UploadProgress upload={upload} onCancel={importing.cancel} /> : null}
        {outcome ? <Outcome outcome={outcome} /> : null}
        <div className={classes.buttons}>
          <Button type="submit" loading={isRunning}>
            {t('import.button')}
          </Button>
          <Button variant="default" disabled={isRunning} onClick={importing.clear}>
            {t('clear')}
          </Button>
        </div>
      </Section>
    </form>
  );
}

/** What came of an import: it stays in sight until the next one. */
function Outcome({ outcome }: { outcome: ImportOutcome }) {
  const t = useText('packages');
  const hasScreen = useHasScreen();
  if (outcome.state === 'refused') return <PackageRefused title={t('import.failed')} error={outcome.error} />;
  if (outcome.state === 'app')
    return (
      <Alert
        color="green"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        role="status"
        title={t('import.done')}
      >
        <Text size="sm">
          {t('import.app', { name: outcome.name })}{' '}
          {hasScreen('/apps') && typeof outcome.id === 'number' ? (
            <Anchor component={Link} to={`/apps/${outcome.id}`} inherit>
              {t('import.openApp')}
            </Anchor>
          ) : null}
        </Text>
      </Alert>
    );
  const isImported = outcome.state === 'imported';
  return (
    <Alert
      color={isImported ? 'green' : 'red'}
      variant="light"
      icon={isImported ? <IconCircleCheck aria-hidden /> : <IconInfoCircle aria-hidden />}
      role={isImported ? 'status' : 'alert'}
      title={t(isImported ? 'import.done' : 'import.failed')}
    >
      {isImported ? null : <Text size="sm">{t('import.nothing')}</Text>}
      <Log log={outcome.log} />
    </Alert>
  );
}

/** The messages of an import, worst first. */
function Log({ log }: { log: ImportLog }) {
  const t = useText('packages');
  return log.map(({ level, messages }) => (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of inputs
    <div key={level} className={classes.log} role="group" aria-label={t(`import.levels.${level}`)}>
      <Text size="sm" fw={600}>
        {t(`import.levels.${level}`)} ({formatNumber(messages.length)})
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <ul className={classes.messages} tabIndex={0}>
        {messages.slice(0, maxListed).map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and messages may be equal
          <li key={index}>{serverText(message)}</li>
        ))}
        {messages.length > maxListed ? (
          <li>
            {t('import.more', {
              count: messages.length - maxListed,
              number: formatNumber(messages.length - maxListed),
            })}
          </li>
        ) : null}
      </ul>
    </div>
  ));
}
