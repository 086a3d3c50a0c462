// What an account has to keep to, as far as a form can tell before it is sent.

/** Shorter passwords are refused (contract/sessions-and-accounts.md). */
export const minPasswordLength = 5;

export const isEmail = (text: string): boolean => /^\S+@\S+$/.test(text.trim());
