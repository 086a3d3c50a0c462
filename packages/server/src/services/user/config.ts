import { type ConfigFields, configField as field } from '@sluice/contract';
import { accountMailFields } from '../../identity/account-mail.ts';

/** Configuration of the user service (contract/service-types.md §11). */
export const config = {
  allow_open_registration: field.boolean({
    label: 'Allow Open Registration',
    description: 'Whether people may register themselves.',
    default: false,
  }),
  open_reg_role_id: field.picklist({
    label: 'Default Open Reg Role',
    description: 'The role people get who registered themselves.',
    choices: 'role',
  }),
  app_role_map: field.rows<{ app_id: number; role_id: number }>({
    label: 'Per App Open Reg Role',
    description: 'Another role for people who registered themselves, in some apps.',
    unset: [],
    items: [
      { name: 'app_id', label: 'App', type: 'picklist', choices: 'app' },
      { name: 'role_id', label: 'Role', type: 'picklist', choices: 'role' },
    ],
  }),
  open_reg_email_service_id: field.picklist({
    label: 'Open Reg Email Service',
    description: 'Sends the mail that confirms a registration.',
    choices: 'email_service',
  }),
  open_reg_email_template_id: field.picklist({
    label: 'Open Reg Email Template',
    description: 'The text of that mail.',
    choices: 'email_template',
  }),
  ...accountMailFields,
  // People are kept in this instance alone: there is no other table to look them up in.
  alt_auth_db_service_id: field.unused(),
  alt_auth_table: field.unused(),
  alt_auth_username_field: field.unused(),
  alt_auth_password_field: field.unused(),
  alt_auth_email_field: field.unused(),
  alt_auth_other_fields: field.unused(),
  alt_auth_filter: field.unused(),
} satisfies ConfigFields;
