// Puts what an address says into the form of a new service. Pure.
import type { FieldDescriptor } from '@sluice/contract';
import { initialConfig } from '../../../fields/config/schema.ts';
import { type ServiceForm, withType } from '../record.ts';
import type { OfferedType } from '../types.ts';
import type { Filling } from './address.ts';

/** What an address decides, whether it names it or not: of another database nothing of these stays. */
const connectionFields = ['host', 'port', 'database', 'username', 'password', 'schema', 'sslmode', 'unix_socket'];

/** The form with what the address says; `unused` has what the type has no field for, too. */
export function fillForm(
  form: ServiceForm,
  { config, unused }: Filling,
  type: OfferedType,
): { form: ServiceForm; unused: string[] } {
  const schema = type.config_schema ?? [];
  const fields = new Set(schema.map(({ name }) => name));
  const base =
    form.type === type.name ? { ...form, config: resetConnection(form.config, schema) } : withType(form, type);
  const entries = Object.entries(config).filter(([name]) => fields.has(name));
  const options = (config.options ?? {}) as Record<string, string>;
  const filled = Object.fromEntries(entries);
  return {
    form: {
      ...base,
      config: {
        ...base.config,
        ...filled,
        ...(filled.options ? { options: { ...(base.config.options as object | null), ...options } } : {}),
      },
    },
    unused: [...unused, ...Object.keys(config).filter((name) => !fields.has(name))],
  };
}

function resetConnection(config: ServiceForm['config'], schema: readonly FieldDescriptor[]): ServiceForm['config'] {
  const kept = Object.entries(config).filter(([name]) => !connectionFields.includes(name));
  return { ...initialConfig(schema, null), ...Object.fromEntries(kept) };
}

/** Longest name that is proposed; one may type longer ones. */
const maxProposal = 40;

/** A name for the service of a database: the database's own as far as an address may have it, with a number where it is taken. */
export function proposeName(database: unknown, type: string, taken: ReadonlySet<string>): string {
  const file =
    String(database ?? '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const word = file
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxProposal);
  const name = word || type;
  if (!taken.has(name)) return name;
  // One of these is free: there are more of them than names that are taken.
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${name}_${index + 2}`);
  return numbered.find((candidate) => !taken.has(candidate)) ?? name;
}

/** What people read in lists, made of a name: `shop_orders` is "Shop orders". */
export const labelOfName = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
