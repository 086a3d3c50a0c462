/**
 * The nonce of this page's content security policy, for the few libraries that write `<style>` elements (Mantine's variables,
 * scroll lock, the code editor). The server puts it into the page for every answer; without it the attribute is empty.
 */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
