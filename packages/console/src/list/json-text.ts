/** A text as it is, any other value as JSON; nothing for undefined. */
export const jsonText = (value: unknown, indent?: number): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, indent) ?? '');
