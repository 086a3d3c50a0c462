import { errorsOfArea } from './catalogue.ts';

/** Emails and the services that send them (contract/services-other.md §4). */
export const mailErrors = errorsOfArea('mail', {
  noData: { status: 400, message: 'No valid data in request.' },
  templateUnknown: { status: 404, message: (p: { name: string }) => `Email Template '${p.name}' not found` },
  templateIdUnknown: { status: 404, message: (p: { id: string }) => `Email Template id '${p.id}' not found` },
  noAddress: { status: 400, message: 'Email can not be empty.', hint: 'Name a recipient in to.' },
  badAddress: {
    status: 400,
    message: (p: { address: string }) => `Invalid email - '${p.address}'.`,
    hint: 'An address is a@b.c, without blanks, quotes or comments; a name goes into name, or in front: Jo <a@b.c>.',
  },
  severalAddresses: { status: 400, message: (p: { field: string }) => `The ${p.field} takes one address.` },
  noSender: {
    status: 400,
    message: 'The email has no sender: neither the call nor the template nor the service names one.',
    hint: 'Send from_email, or set SLUICE_MAIL_FROM for the whole server.',
  },
  noService: { status: 400, message: 'No email service is configured for invitations.' },
  previewByAdmin: { status: 403, message: 'Only administrators may look at templates with their own values.' },
  noContent: { status: 400, message: 'The email has neither a body nor an attachment.' },
  notText: { status: 400, message: (p: { field: string }) => `The ${p.field} must be a text.` },
  tooManyRecipients: {
    status: 400,
    message: (p: { limit: number }) => `An email can have ${p.limit} recipients at most.`,
  },
  tooLong: {
    status: 400,
    message: (p: { field: string; limit: number }) => `The ${p.field} is longer than ${p.limit} characters.`,
  },
  badAttachment: {
    status: 400,
    message:
      'An attachment is an address that begins with http:// or https://, or an object with service and path, or a list of these.',
  },
  badPart: {
    status: 400,
    message: (p: { name: string }) =>
      `The part '${p.name}' holds a file: attachments come in parts named file or attachment.`,
  },
  tooManyAttachments: {
    status: 400,
    message: (p: { limit: number }) => `An email can have ${p.limit} attachments at most.`,
  },
  attachmentsTooLarge: {
    status: 413,
    message: (p: { limit: number }) => `The attachments of an email can have ${p.limit} bytes together.`,
  },
  attachmentUrl: {
    status: 500,
    message: (p: { problem: string }) => `Failed to import attachment file from url. ${p.problem}`,
  },
  attachmentFile: {
    status: 500,
    message: (p: { problem: string }) => `Failed to get attachment file from storage service. ${p.problem}`,
  },
  noHost: { status: 500, message: 'Missing SMTP host. Check service configuration.' },
  noPort: { status: 500, message: 'Missing SMTP port. Check service configuration.' },
  badCommand: {
    status: 400,
    message: (p: { command: string; program: string }) =>
      `The command '${p.command}' can not be used: it is '${p.program}' with -bs or -t, and nothing else.`,
    hint: 'The setting SLUICE_SENDMAIL names another program.',
  },
  refused: {
    status: 500,
    message: (p: { text: string }) => `The mail server refused the email: ${p.text}`,
  },
  deferred: {
    status: 503,
    message: (p: { text: string }) => `The mail server does not take the email now: ${p.text}`,
  },
  loginRefused: {
    status: 500,
    message: (p: { text: string }) => `The mail server does not accept the login of the service: ${p.text}`,
  },
  notEncrypted: {
    status: 500,
    message: (p: { text: string }) => `There is no safe connection to the mail server: ${p.text}`,
    hint: 'The certificate of the server has to be valid for its host; its authority can be named in the configuration.',
  },
  unreachable: {
    status: 503,
    message: (p: { text: string }) => `The mail server is not available: ${p.text}`,
  },
  busy: { status: 503, message: 'Too many emails of this service are being sent.' },
  busyCaller: { status: 429, message: 'Too many emails of yours are being sent by this service.' },
  noMemory: { status: 503, message: 'Too many attachments are in memory.' },
  gone: { status: 503, message: 'The call ended before the email was sent.' },
});
