// A CORS rule as the editor holds it and as it is sent. Pure.
import { type Verb, verbs } from '@sluice/contract';
import { formText } from '../../editor/form-text.ts';

/** What the path of a new rule is until it is chosen (CFG-016). */
export const newCorsPath = 'NEW';
/** The verbs a rule may allow, in the order of the documents (CFG-056). */
export const corsVerbs: readonly Verb[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

const texts = ['path', 'description', 'origin', 'header', 'exposed_header'] as const;

export type CorsForm = Record<(typeof texts)[number], string> & {
  id?: number;
  max_age: number | '';
  method: Verb[];
  /** Methods the picker does not offer, such as OPTIONS: they stay. Never sent by themselves. */
  otherMethods: string[];
  supports_credentials: boolean;
  enabled: boolean;
};

/** CFG-016…020: on a server a rule is on by default, in the form it is not. */
export const emptyCors: CorsForm = {
  path: newCorsPath,
  description: '',
  origin: '*',
  header: '*',
  exposed_header: '',
  max_age: 0,
  method: [],
  otherMethods: [],
  supports_credentials: false,
  enabled: false,
};

const isVerb = (name: unknown): name is Verb => verbs.includes(name as Verb);

export const toForm = (record: Record<string, unknown>): CorsForm => {
  const methods = Array.isArray(record.method) ? record.method.map(String) : [];
  return {
    id: Number(record.id),
    ...(Object.fromEntries(texts.map((field) => [field, formText(record[field])])) as Record<
      (typeof texts)[number],
      string
    >),
    max_age: Number(record.max_age ?? 0),
    method: methods.filter(isVerb),
    otherMethods: methods.filter((name) => !isVerb(name)),
    supports_credentials: record.supports_credentials === true,
    enabled: record.enabled === true,
  };
};

/** The body of a save: an empty text is sent as null. */
export const toRecord = ({ otherMethods, ...form }: CorsForm): Record<string, unknown> => ({
  ...form,
  ...Object.fromEntries(texts.map((field) => [field, form[field].trim() === '' ? null : form[field].trim()])),
  max_age: form.max_age === '' ? 0 : form.max_age,
  method: [...form.method, ...otherMethods],
});

/** The default path first, then a missing one (CFG-022, CFG-023, OPEN-082); both only of a new rule (OPEN-076). */
export const pathProblem = ({ path }: CorsForm): 'isNew' | 'missing' | null => {
  if (path.trim() === newCorsPath) return 'isNew';
  return path.trim() === '' ? 'missing' : null;
};
