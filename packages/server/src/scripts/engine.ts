// What runs scripts of one language. An engine is a folder in engines/ with a line in engines/index.ts; it knows no call, no
// event and no service: text in, text out, and the functions of a run. What may be run, by whom, and what becomes of the
// result is decided by those who call `run`.
import type { ScriptTypeName } from '@sluice/contract';
import type { Settings } from '../settings/index.ts';

/** A kind of engine: what `system/script_type` says of it, and how it is started. */
export interface EngineType {
  name: ScriptTypeName;
  label: string;
  description: string;
  /** Its scripts reach nothing but what a run hands them, by how the engine is built (contract §3). */
  isSandboxed: boolean;
  /**
   * What `options` of `platform.api` are where they have neither `headers` nor `parameters`: headers (Node.js, Python), or curl
   * options by name (V8js, PHP; contract/event-scripts-and-script-services.md §4).
   */
  plainOptions: 'headers' | 'curl';
  /** Starts it for an instance, once, when its first script is run or its state is asked for. What it keeps ready ends with `close`. */
  open(context: EngineContext): Engine;
}

export interface EngineContext {
  settings: Settings;
  log: { warn(details: object, message: string): void };
}

/** Separates what engines of a type run on. `none` means that scripts may do what the server may. */
export type Confinement = 'webassembly' | 'bubblewrap' | 'user' | 'none';

export interface EngineState {
  /** Why it cannot run here and what would help, a sentence: `Python 3 is not installed: apt install python3`. Absent: it can. */
  missing?: string;
  confinement: Confinement;
}

export interface Engine {
  /** Looked up once and kept; what asks for it is shown to administrators. */
  state(): Promise<EngineState>;
  /**
   * Runs one script as the body of a function of `event` and `platform`. Nothing of an earlier run is there: no global, prototype,
   * module or file that it changed. It fails when nothing of the run is left: no process, thread or pending call. It answers
   * when all that may be left has been killed.
   *
   * @throws ScriptException where the script threw, or could not be compiled; what `runFailures` makes, where it needed too
   * much, ended its process or left no event; `run.signal.reason`. Anything else is a bug of ours.
   */
  run(run: ScriptRun): Promise<ScriptResult>;
  /** Ends what was kept ready. No run is under way by then. */
  close(): Promise<void>;
}

/** One run: what goes to the script is JSON, whatever thread, process or machine it runs on. */
export interface ScriptRun {
  /** Name of the event, or `service.{name}`: what messages call the script. */
  identifier: string;
  /** The body of the function, as it is to be run. */
  script: string;
  /** The `event` of the script, a JSON object. Numbers may have more digits than a double carries. */
  event: string;
  /** `platform.config` and `platform.session`, a JSON object each. */
  platform: { config: string; session: string };
  /**
   * A call by the script (`platform.api`), made by the server. A call that fails resolves as any other: with its status and
   * `content.error`. Where this rejects the run is over: the engine ends the script and throws what it rejected with. The same
   * goes for `store` and `log`.
   */
  api(request: ApiRequest): Promise<ApiResponse>;
  store: ScriptStore;
  /** Takes what the script prints, as it comes: lines or parts of them. Throws when it was too much (`script.tooMuchOutput`). */
  log(text: string): void;
  bounds: RunBounds;
  /**
   * Aborted when the time is over, the caller has gone or the server stops, with the failure to throw as its reason. The engine
   * then ends everything that belongs to the run, at once: no script is asked to agree.
   */
  signal: AbortSignal;
}

export interface RunBounds {
  /** Milliseconds that the run may take from now on, what is left of its call. `signal` keeps to it; for limits of the engine's own. */
  time: number;
  /** Bytes that the script may use. */
  memory: number;
  /** Characters of JSON that the result may have. */
  result: number;
}

/** Values of the script for its next runs, in all processes of the instance, for 15 minutes (contract §4). JSON values. */
export interface ScriptStore {
  /** Undefined where there is none. */
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
}

/** As the script says it; nothing of it has been checked. JSON values. */
export interface ApiRequest {
  verb: string;
  /** `db/_table/x?limit=1`, with `/api/v2/` before it or without; `http://…` and `https://…` are calls to elsewhere. */
  path: string;
  payload?: unknown;
  options?: unknown;
}

/** What `platform.api` answers (contract §4). */
export interface ApiResponse {
  status_code: number;
  /** Parsed where it is JSON, else a text; base64 where it is neither. */
  content: unknown;
  content_type: string | null;
  /** Kept for scripts that look at it: 201 for a parsed value, 0 for a text. */
  format: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** The body as text, for engines whose scripts read it so: of a parsed value its JSON. */
  text: string;
}

/** What came of a run that ended by itself. */
export interface ScriptResult {
  /** The event as the script left it, JSON of an object; of several that were set (`event.setResponse`, nodejs) the last. */
  event: string;
  /** What the script returned, JSON; absent: nothing, or something that JSON does not have. */
  returned?: string;
}

/** What a script threw. An engine fills in what its language has; other languages' errors have a message alone. */
export class ScriptException extends Error {
  readonly statusCode: number | undefined;
  readonly code: number | string | undefined;

  constructor(message: string, { statusCode, code }: { statusCode?: number; code?: number | string } = {}) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
