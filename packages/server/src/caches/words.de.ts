// Deutsche Wörter dessen, was jeder Cache hat.
export const cacheFields = {
  default_ttl: {
    label: 'Übliche Lebensdauer',
    description: 'Minuten, die ein Wert bleibt, wo ein Aufruf nichts sagt.',
  },
};
