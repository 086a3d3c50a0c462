// Emails by a program of this machine, such as the sendmail of Postfix. The setting SLUICE_SENDMAIL names the only one that may
// run: who configures services is not to run others, or this one with options of their own.
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { openByArguments, openByDialogue } from './program.ts';

/** Emails by the program at a path. */
export const localEmail = (program: string) => {
  const config = {
    command: field.string({
      label: 'Local Command',
      description: `What emails are handed to: ${program} with -bs (it speaks SMTP) or with -t (it gets the email alone).`,
      default: `${program} -bs`,
    }),
    ...parameterField,
  };

  /** Whether the program speaks SMTP. Refuses every other command. */
  const speaksSmtp = ({ command }: ConfigOf<typeof config>): boolean => {
    const text = command?.trim() || `${program} -bs`;
    const [path, option, ...others] = text.split(/\s+/);
    if (path === program && (option === '-bs' || option === '-t') && others.length === 0) return option === '-bs';
    const failure = fail('mail.badCommand', { command: text.slice(0, 200), program });
    throw fail(
      'mail.badCommand',
      { command: text.slice(0, 200), program },
      { context: { command: [failure.message] } },
    );
  };

  return mailType({
    name: 'local_email',
    label: 'Local Email Service',
    description: 'E-mail service for system mailer.',
    config,
    check: (values) => void speaksSmtp(values),
    address: () => program,
    open: (values) => (speaksSmtp(values) ? openByDialogue(program) : openByArguments(program)),
  });
};
