// News from outside the instance (NAV-050): asked for without key, token or cookie of ours.

export interface NewsItem {
  name: string;
  url: string;
}

/** What is shown at most, in items and in characters of one. */
const bounds = { items: 20, length: 200 };

/** The links of a feed; those that are no links are left out. Throws when it cannot be read. */
export async function readNews(feed: string, signal: AbortSignal): Promise<NewsItem[]> {
  const response = await fetch(feed, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const { notifications } = (await response.json()) as { notifications?: unknown };
  const items = Array.isArray(notifications) ? (notifications as (Partial<NewsItem> | null)[]) : [];
  return items
    .flatMap((item) =>
      typeof item?.name === 'string' && typeof item.url === 'string' && /^https?:\/\//.test(item.url)
        ? [{ name: item.name.slice(0, bounds.length), url: item.url }]
        : [],
    )
    .slice(0, bounds.items);
}
