// Emails through a mail server (SMTP).
import { X509Certificate } from 'node:crypto';
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { type Encryption, openSmtp } from '../../mail/smtp.ts';

const usualPort = '587';

const config = {
  host: field.string({
    label: 'SMTP Host',
    description: 'Name or address of the mail server.',
    required: true,
    destination: true,
  }),
  port: field.string({
    label: 'SMTP Port',
    description: '587 with tls, 465 with ssl; 25 between servers.',
    default: usualPort,
    readsAsNumber: true,
    destination: true,
  }),
  encryption: field.string({
    label: 'Encryption',
    description:
      'tls: encrypted after the greeting (STARTTLS), ssl: from the first byte. Both check the certificate of the server. Blank: encrypted where the server offers it, without a check.',
    destination: true,
  }),
  username: field.string({ label: 'Username', description: 'Blank: no sign-in.', destination: true }),
  password: field.secret({ label: 'Password', description: 'Password of that account.' }),
  ca_certificate: field.text({
    label: 'Certificate Authority',
    description:
      'PEM text of a certificate to trust in place of the usual authorities: for a server with a certificate of your own.',
    destination: true,
  }),
  ...parameterField,
};

type SmtpConfig = ConfigOf<typeof config>;

/** Emails through a mail server. */
export const smtpEmail = mailType({
  name: 'smtp_email',
  label: 'SMTP',
  description: 'E-mail service supporting SMTP connections.',
  config,
  check(values) {
    if (portOf(values) === undefined) throw invalid('port', 'The port must be a number from 1 to 65535.');
    if (encryptionOf(values) === undefined) throw invalid('encryption', 'The encryption must be tls or ssl, or blank.');
    if (!isCertificate(values.ca_certificate))
      throw invalid('ca_certificate', 'The ca certificate must be a certificate as PEM text.');
  },
  address: (values) => values.host?.trim() && `${values.host.trim()}:${portOf(values) ?? usualPort}`,
  open(values) {
    const host = values.host?.trim();
    const [port, encryption] = [portOf(values), encryptionOf(values)];
    if (!host) throw fail('mail.noHost');
    if (port === undefined) throw fail('mail.noPort');
    return openSmtp({
      ...{ host, port, encryption: encryption ?? 'tls', ca: values.ca_certificate?.trim() || undefined },
      ...{ user: values.username?.trim() || undefined, password: values.password ?? undefined },
    });
  },
});

const invalid = (name: string, message: string) =>
  fail('record.invalid', { messages: [message] }, { context: { [name]: [message] } });

function portOf({ port }: SmtpConfig): number | undefined {
  const text = String(port ?? '').trim() || usualPort;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= 65_535 ? number : undefined;
}

/** Blank is what the server offers. */
function encryptionOf({ encryption }: SmtpConfig): Encryption | undefined {
  const text = encryption?.trim().toLowerCase() ?? '';
  if (text === '') return 'opportunistic';
  return text === 'tls' || text === 'ssl' ? text : undefined;
}

function isCertificate(text: string | null | undefined): boolean {
  if (!text?.trim()) return true;
  try {
    return new X509Certificate(text) !== undefined;
  } catch {
    return false;
  }
}
