// Which mail goes to people about their account: the same fields for administrators (`system`) and for users (`user`).
import { type ConfigFields, configField as field } from '@sluice/contract';

export const accountMailFields = {
  invite_email_service_id: field.picklist({
    label: 'Invite Email Service',
    description: 'Sends invitations.',
    choices: 'email_service',
  }),
  invite_email_template_id: field.picklist({
    label: 'Invite Email Template',
    description: 'The text of an invitation.',
    choices: 'email_template',
  }),
  password_email_service_id: field.picklist({
    label: 'Password Email Service',
    description: 'Sends the link to set a new password.',
    choices: 'email_service',
  }),
  password_email_template_id: field.picklist({
    label: 'Password Email Template',
    description: 'The text of that mail.',
    choices: 'email_template',
  }),
} satisfies ConfigFields;
