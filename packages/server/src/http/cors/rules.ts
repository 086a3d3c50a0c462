// The rules of system/cors as calls are tested by them: read once, and again after a write by any process.
import { chain, type MaybePromise } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { methodsOf } from '../../resources/cors/index.ts';
import { compilePattern, maxPathLength } from '../../resources/cors/pattern.ts';
import { createTableCache, type Store } from '../../store/index.ts';

export interface CorsRule {
  allowsOrigin(origin: string): boolean;
  allowsMethod(method: string): boolean;
  /** Of the headers a browser asks for in a preflight, those that may be sent; undefined when one may not. */
  allowedHeaders(requested: string): string | undefined;
  /** As a preflight has them. */
  methods: string;
  exposedHeaders: string;
  maxAge: number;
  supportsCredentials: boolean;
}

export interface CorsRules {
  /** The rule for a path without its first slash; undefined where there is none. */
  find(path: () => string): MaybePromise<CorsRule | undefined>;
}

/** Paths whose rule is remembered. */
const maxPaths = 1_000;

type Find = (path: () => string) => CorsRule | undefined;

export function createCorsRules({ db, bus }: Pick<Store, 'db' | 'bus'>): CorsRules {
  const rules = createTableCache(bus, 'cors', () => readRules(db));
  return { find: (path) => chain(rules.get(), (find) => find(path)) };
}

async function readRules(db: Store['db']): Promise<Find> {
  const rows = await db.selectFrom('cors').selectAll().where('enabled', '=', 1).orderBy('id').execute();
  if (rows.length === 0) return () => undefined;
  // The longest path wins.
  const rules = rows
    .toSorted((a, b) => b.path.length - a.path.length)
    .map((row) => ({ matches: compilePattern(row.path), rule: ruleOf(row) }));
  const found = new LRUCache<string, { rule: CorsRule | undefined }>({ max: maxPaths });
  return (pathOf) => {
    const path = pathOf();
    // None at all, instead of one that is less strict than the one that could not be tried.
    if (path.length > maxPathLength) return undefined;
    const remembered = found.get(path);
    if (remembered) return remembered.rule;
    const rule = rules.find(({ matches }) => matches(path))?.rule;
    found.set(path, { rule });
    return rule;
  };
}

interface RuleRow {
  origin: string;
  header: string | null;
  exposed_header: string | null;
  method: string | null;
  max_age: number;
  supports_credentials: number;
}

function ruleOf(row: RuleRow): CorsRule {
  const origins = new Set(row.origin.split(','));
  const methods = methodsOf(row.method);
  const headers = row.header || '';
  const headerNames = new Set(headers.toLowerCase().split(','));
  const takesAnyHeader = headerNames.has('*');
  return {
    allowsOrigin: (origin) => origins.has('*') || origins.has(origin),
    allowsMethod: (method) => methods.includes(method.toUpperCase()),
    allowedHeaders(requested) {
      if (takesAnyHeader) return requested;
      const names = requested.toLowerCase().split(',');
      return names.every((name) => name.trim() === '' || headerNames.has(name.trim())) ? headers : undefined;
    },
    methods: methods.join(', '),
    exposedHeaders: row.exposed_header || '',
    maxAge: Number(row.max_age),
    supportsCredentials: Number(row.supports_credentials) === 1,
  };
}
