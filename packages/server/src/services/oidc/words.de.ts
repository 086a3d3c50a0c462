import type { WordsByType } from '@sluice/contract';
import { signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oidc: {
    description: 'Anmeldung bei einem Anbieter von OpenID Connect.',
    fields: {
      ...signInFields,
      discovery_document: {
        label: 'Adresse des Discovery-Dokuments',
        description:
          'Wo der Anbieter sich beschreibt, https://…/.well-known/openid-configuration: Leere Felder werden daraus gefüllt, wenn der Dienst gespeichert wird.',
      },
      issuer: {
        label: 'Aussteller',
        description: 'Wer ID-Tokens signiert. Ohne ihn sagt allein der User-Info-Endpunkt, wer sich anmeldet.',
      },
      auth_endpoint: { label: 'Autorisierungsendpunkt', description: 'Wohin Browser geschickt werden.' },
      token_endpoint: { label: 'Token-Endpunkt', description: 'Wo Tokens ausgestellt werden.' },
      user_endpoint: { label: 'User-Info-Endpunkt', description: 'Antwortet, wessen Token es ist.' },
      validate_id_token: {
        label: 'ID-Token prüfen',
        description: 'Braucht eine JWKS-Adresse. Signaturen werden geprüft, wo es eine gibt.',
      },
      jwks_uri: { label: 'JWKS-Adresse', description: 'Die Schlüssel, mit denen ID-Tokens signiert werden.' },
      scopes: {
        label: 'Scopes',
        description: 'Wonach gefragt wird, durch Kommas oder Leerzeichen getrennt: openid, email, profile.',
      },
    },
  },
};
