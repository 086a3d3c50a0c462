// A mail as its MIME text. Everything in it is put there field by field: no object of a caller reaches the library.
import type { SendMailOptions } from 'nodemailer';
import type { Attachment, Mail } from './transport.ts';

/** Texts longer than this are written in base64, which costs as much for every text. */
const longText = 64 * 1024;

/** A mail in the words of the library. It opens no file and no address by itself. */
export const composerOptions = ({ from, replyTo, to, cc, bcc, subject, text, html, attachments }: Mail) =>
  ({
    ...{ from, replyTo, to, cc, bcc, subject, text, html },
    attachments: attachments.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      contentDisposition: 'attachment' as const,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    textEncoding: Math.max(text?.length ?? 0, html?.length ?? 0) > longText ? 'base64' : 'quoted-printable',
  }) satisfies SendMailOptions & { xMailer: false };

/** The bytes of a mail, its lines ending as the network or as programs of a Unix have it. Blind copies are not named in them. */
export async function composeMail(mail: Mail, newline: 'windows' | 'unix' = 'windows'): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({ ...composerOptions(mail), newline }).compile().build();
}

/** A type as a header takes it; parts that have parts themselves are carried as bytes. */
export const attachmentType = (type: string | null | undefined): Attachment['type'] => {
  const plain = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (/^(message|multipart)\//.test(plain)) return 'application/octet-stream';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,80}$/.test(plain) ? plain : undefined;
};
