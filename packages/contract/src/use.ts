// What `GET system/service/_use` and `GET system/app/_use` answer (contract/system-resources.md §4, §5).

/** The calls of one service within the hours that were asked for. */
export interface ServiceUse {
  id: number;
  name: string;
  calls: number;
  /** Of these, those that were answered with an error. */
  failures: number;
  /** The last one ever, as ISO-8601 in UTC. */
  last_call: string | null;
  /** The hours with calls, the oldest first; each by its beginning. */
  hours: { hour: string; calls: number; failures: number }[];
}

/** A call that was let through and answered with an error, as `GET system/service/_failures` lists it. */
export interface FailedCall {
  /** ISO-8601 in UTC. */
  at: string;
  verb: string;
  /** Below the service, without the query. */
  path: string;
  status: number;
  /** Why; null where the error is the answer of what the service is in front of. */
  message: string | null;
  user_email: string | null;
  app: string | null;
  ip_address: string;
  request_id: string;
}

/** The calls that came with the key of an app. */
export interface AppUse {
  id: number;
  name: string;
  is_active: boolean;
  created_date: string | null;
  last_used: string | null;
  calls: number;
}

/** How many hours `_use` of services can be asked for. */
export const maxUseHours = 168;
