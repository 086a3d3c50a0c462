// Event names arranged for a menu. Pure.

export interface EventGroup {
  service: string;
  /** `{service}.*` first, then the names as the server lists them. */
  events: string[];
}

/** Groups names by the part before the first dot, each group led by "all of it" (OPEN-152). */
export function groupEvents(names: readonly string[]): EventGroup[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const service = name.split('.', 1)[0] ?? name;
    const group = groups.get(service) ?? [allEventsOf(service)];
    group.push(name);
    groups.set(service, group);
  }
  return [...groups].map(([service, events]) => ({ service, events }));
}

const allEventsOf = (service: string) => `${service}.*`;

/** The service when the name stands for all of its events, else null. */
export const serviceOfAllEvents = (name: string): string | null => (name.endsWith('.*') ? name.slice(0, -2) : null);
