// What sign-in, renewal and the environment answer (contract/sessions-and-accounts.md §2, contract/system-resources.md §18).

export interface Session {
  session_token: string | null;
  session_id: string | null;
  id: number;
  name: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
  is_sys_admin: boolean;
  last_login_date: string | null;
  host: string;
  token_expiry_date: string | null;
  role?: string;
  role_id?: number;
}

/** A session of a person as they and administrators see it: never its token. Dates are ISO-8601 in UTC. */
export interface ListedSession {
  id: number;
  /** The client program of the sign-in or the last renewal; null where it sent none. */
  user_agent: string | null;
  ip_address: string | null;
  created_date: string;
  /** Within a minute. */
  last_use_date: string;
  /** When it ends unless it is renewed as one that is remembered. */
  expires_date: string;
  /** It is the session of the call that lists it. */
  is_current: boolean;
}

export interface EnvironmentApp {
  id: number;
  name: string;
  description: string | null;
  url: string;
  is_default: boolean;
  allow_fullscreen_toggle: boolean;
  requires_fullscreen: boolean;
  toggle_location: string;
}

export interface LoginProvider {
  path: string;
  name: string;
  label: string;
  verb: string | string[];
  type?: string;
  icon_class?: string | null;
  payload?: Record<string, string>;
}

export interface Environment {
  authentication: {
    admin: { path: string; verb: string; payload: Record<string, string> };
    user: { path: string; verb: string; payload: Record<string, string> };
    oauth: LoginProvider[];
    adldap: LoginProvider[];
    saml: LoginProvider[];
    allow_open_registration: boolean;
    open_reg_email_service_id: number | null;
    allow_forever_sessions: boolean;
    login_attribute: 'email' | 'username';
  };
  apps: EnvironmentApp[];
  platform?: { license: string; bitnami_demo: boolean; is_hosted: boolean; version?: string; [key: string]: unknown };
  server?: Record<string, unknown>;
  client?: Record<string, unknown>;
  config?: Record<string, unknown>;
  home_links?: HomeLink[];
  /** Ours: pages of SDKs by their short names. */
  sdks?: { name: string; href: string }[];
  /** Ours: apps to try, by the names of SDKs. */
  sample_apps?: SampleApp[];
  /** Ours, for administrators: the script of a live chat. */
  live_chat?: { script: string };
  /** Ours: the address of news. */
  notifications_feed?: string;
  /** Ours: the API of the code-hosting service that scripts are imported from. */
  code_host?: string;
}

/** A page that Home leads to. */
export interface HomeLink {
  name: string;
  label?: string;
  href: string;
  attributes?: string[];
}

/** A sample app: the package that is imported, and the place of its source. */
export interface SampleApp {
  name: string;
  package_url: string;
  repository_url: string;
}

/** What `GET /console.json` tells the console before anyone signs in (docs/design.md, Identity). */
export interface ConsoleSettings {
  /** API key of the app `admin`; null when the console is pointed at an instance that does not tell. */
  api_key: string | null;
  /** Address of the API without `/api/v2`; empty means the console's own origin. */
  base_url: string;
  setup_needed: boolean;
  version: string;
  links: Record<string, string | null>;
  /** Whether agents may call services at `/mcp`. */
  mcp: boolean;
  /** Whether there is `/graphql`. */
  graphql: boolean;
}
