import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  swagger: {
    label: 'API-Dokumentation',
    description: 'Beschreibt als OpenAPI, was Dienste anbieten.',
  },
};
