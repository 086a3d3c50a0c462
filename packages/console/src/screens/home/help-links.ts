const tabs = ['welcome', 'quickstart', 'resources', 'download'] as const;

export interface HelpLink {
  name: string;
  label: string;
  href: string;
}

const isExternal = (href: unknown): href is string => typeof href === 'string' && /^https?:\/\//.test(href);

/**
 * The help pages of Home: the documents' four where an operator set their addresses (HOM-001, HOM-002), or the list the instance gives
 * (HOM-003), whose labels default to the names (HOM-004).
 */
export const helpLinks = (
  homeLinks: { name: string; label?: string; href: string }[] | undefined,
  links: Record<string, string | null>,
  label: (name: (typeof tabs)[number]) => string,
): HelpLink[] => {
  const list = homeLinks
    ? homeLinks.map((link) => ({ name: link.name, label: link.label || link.name, href: link.href }))
    : tabs.map((name) => ({ name, label: label(name), href: links[name] ?? '' }));
  return list.filter(({ href }) => isExternal(href));
};
