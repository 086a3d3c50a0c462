// People sign in by their accounts of Microsoft Entra ID, once Azure Active Directory.
import { type ConfigFields, configField as field } from '@sluice/contract';
import { refuseField } from '../../storage/remote-config.ts';
import { readUnverified } from '../engines/oauth-people.ts';
import { clientFields, type OauthParts, oauthType, roleFields } from '../engines/oauth-type.ts';

const config = {
  ...roleFields,
  ...clientFields,
  tenant_id: field.string({
    label: 'Tenant ID',
    description: 'The id or the domain of the directory; common for all of them.',
    default: 'common',
    required: true,
    destination: true,
  }),
  resource: field.string({
    label: 'Resource',
    description: 'Without effect; kept for configurations made elsewhere.',
    default: 'https://graph.windows.net/',
  }),
} satisfies ConfigFields;

const tenantPattern = /^[A-Za-z0-9.-]{1,255}$/;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Sign-in by Azure Active Directory. */
export const azureAd = (parts: OauthParts) =>
  oauthType(parts, {
    name: 'oauth_azure_ad',
    label: 'Azure Active Directory OAuth',
    description: 'People sign in by their accounts of Microsoft Entra ID, once Azure Active Directory.',
    config,
    check({ tenant_id }) {
      if (tenant_id && !tenant_id.includes('{') && !tenantPattern.test(tenant_id))
        throw refuseField('tenant_id', 'The tenant_id must be the id or the domain of a directory.');
    },
    facts({ tenant_id }) {
      const tenant = tenant_id ?? 'common';
      const base = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}`;
      return {
        authorize: `${base}/oauth2/v2.0/authorize`,
        token: `${base}/oauth2/v2.0/token`,
        user: 'https://graph.microsoft.com/oidc/userinfo',
        // Tokens name the directory by its id: of one that is named otherwise the issuer is not known.
        ...(idPattern.test(tenant)
          ? { issuer: `${base.toLowerCase()}/v2.0`, keys: `${base}/discovery/v2.0/keys` }
          : {}),
        scopes: 'openid email profile',
        takesProof: true,
        secretIn: 'body',
        readPerson: readUnverified,
      };
    },
  });
