// What `POST system/access/explain` is asked and answers: why a call is allowed or not (docs/operations.md, "Who may what").
import type { ExplainReason, ExplainSentenceId } from './explain-reasons.ts';
import type { ExplainedLimit } from './limits.ts';
import type { Requestor, Verb } from './verbs.ts';

/** A caller and a call. Without any id the caller is a stranger. */
export interface ExplainRequest {
  /** A signed-in person. */
  user_id?: number | null;
  /** The app whose key comes with the call. */
  app_id?: number | null;
  /** Any signed-in person with this role; not together with the other two. */
  role_id?: number | null;
  /** How the call comes; API when absent. */
  requestor?: Requestor;
  verb: Verb;
  /** `db/_table/contact/7`; `/api/v2/` before it is taken off. */
  path: string;
  /** A record as it would be written; the answer tells whether the record filter lets it pass. */
  record?: Record<string, unknown> | null;
}

/** A row of the caller's role, and what came of it. */
export interface ExplainedRow {
  id: number;
  /** Its place among all rows of the role, from 1: the number it has in the role's editor. */
  number: number;
  /** Name of the service; null for all services. */
  service: string | null;
  component: string;
  verb_mask: number;
  requestor_mask: number;
  /** Whether its verbs counted. */
  counts: boolean;
  /** Why not: another requestor, another service, a component that does not match, or a closer match that decided. */
  why: 'counts' | 'requestor' | 'service' | 'component' | 'outranked';
}

export interface ExplainedCondition {
  name: string;
  operator: string;
  /** As stored. */
  value: unknown;
  /** With lookups filled in. */
  filled: unknown;
}

/** What decided: administrators may do everything; exceptions need no role; else the class of rows, closest first. */
export type DecidedBy = 'administrator' | 'exception' | 'exact' | 'wildcard' | 'service' | 'all' | 'none' | 'refused';

export interface Explanation {
  allowed: boolean;
  /** What the call is answered when it does not pass; null when it does. */
  refusal: { status: number; message: string } | null;
  caller: {
    kind: 'administrator' | 'user' | 'app' | 'role' | 'nobody';
    user: { id: number; name: string; email: string; is_active: boolean } | null;
    app: { id: number; name: string; is_active: boolean } | null;
    role: { id: number; name: string; is_active: boolean } | null;
    /** Where the role comes from: the person's own for the app, the app's default, or the question. */
    role_from: 'user' | 'app' | 'question' | null;
  };
  call: {
    verb: Verb;
    requestor: Requestor;
    service: string;
    component: string;
    /** Null when there is no such service. */
    service_id: number | null;
    service_type: string | null;
    service_is_active: boolean | null;
  };
  decided_by: DecidedBy;
  /** What is granted on the component. */
  verb_mask: number;
  verbs: Verb[];
  /** The role's rows that speak of this service or of all, those that counted first; 200 at most. */
  rows: ExplainedRow[];
  /** The record filter that applies; null when none does. */
  filter: {
    row_id: number;
    row_number: number;
    filter_op: 'AND' | 'OR';
    conditions: ExplainedCondition[];
    /** The whole condition in one line, lookups filled in. */
    text: string;
  } | null;
  /** Whether the record of the question passes the filter; null when none was asked about. `id` is the sentence of `text`. */
  record: { passes: boolean; text: string; id?: ExplainSentenceId } | null;
  /** The limits that the call would count under now; absent on older servers. */
  limits?: ExplainedLimit[];
  /** The whole decision in sentences, in the order it was made. */
  reasons: string[];
  /** The same sentences as data, for clients that tell them in another language; absent on older servers. */
  told?: ExplainReason[];
}
