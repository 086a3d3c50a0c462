// What there is to know of a database engine to test with it. pgsql.ts and mysql.ts beside this have one each.
export type Engine = 'pgsql' | 'mysql';

/** Where to log in. With `socket` that is used in place of host and port. */
export interface Login {
  host: string;
  port: number;
  user: string;
  password: string;
  socket?: string;
}

/** All that is particular to an engine in tests. Database and login names given to it are our own and need no quoting. */
export interface EngineKit {
  engine: Engine;
  label: string;
  scheme: 'postgres' | 'mysql';
  /** Environment variable that names a server to use: `TEST_POSTGRES_URL`. */
  variable: string;
  defaultPort: number;
  /** The superuser of a fresh installation, and the names his sockets may have. */
  superuser: string;
  sockets: string[];
  /** The account the server's programs run under when we are root, which they refuse to be. */
  account: string;
  installLine: string;
  /** Runs SQL, several statements allowed; the rows of the last one, each an array. */
  run(login: Login, sql: string, database?: string): Promise<unknown[][]>;
  sql: {
    databases: string;
    create(name: string): string[];
    drop(name: string): string[];
    /** A login of this name with this password: a superuser, where there is no `grant`. */
    login(name: string, password: string): string[];
    /**
     * Lets a login do all in a database. Present where a superuser sees the databases of all tests that run at the time: there
     * each database has a login of its own, which sees those of its process.
     */
    grant?(name: string, database: string): string[];
    dropLogin(name: string): string[];
  };
  /** Path of the server's program; undefined when it is not installed. */
  program(): string | undefined;
  /** Lays out an empty data folder: commands to run before the first start. */
  layOut(folder: string, password: string): string[][];
  /** The command that serves the folder in the foreground. */
  serve(folder: string, port: number): string[];
  /** The socket of a server that serves this folder, as `Login.socket`. */
  socketIn(folder: string): string;
  /** Asks for an orderly stop that does not wait for clients to leave. */
  stopSignal: 'SIGINT' | 'SIGTERM';
}
