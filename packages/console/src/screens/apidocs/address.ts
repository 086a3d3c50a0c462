/** The address of a service's document, or of a call or a schema in it. */
export const addressOf = (base: string, service: string, kind?: 'call' | 'schema', name = ''): string =>
  `${base}/${encodeURIComponent(service)}${kind ? `/${kind}/${encodeURIComponent(name)}` : ''}`;
