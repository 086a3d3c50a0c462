// The program that takes mails: run without a shell, with arguments of ours alone and nothing of the environment but its path.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import { composeMail } from '../../mail/compose.ts';
import { openSmtp } from '../../mail/smtp.ts';
import { type MailTransport, recipientsOf, refusal, sendTimeout, transportText } from '../../mail/transport.ts';

/** A program that speaks SMTP on its input and output: one process for each mail. */
export function openByDialogue(program: string): MailTransport {
  const speak = async <T>(work: (transport: MailTransport) => Promise<T>): Promise<T> => {
    let running: Running | undefined;
    const transport = await openSmtp({
      ...{ host: 'localhost', port: 25, encryption: 'none' },
      async openSocket() {
        running = await start(program, ['-bs']);
        return socketOf(running.child);
      },
    });
    try {
      return await work(transport);
    } catch (error) {
      const words = running?.errorText() ?? '';
      // Where the program hangs up, it says why beside the dialogue.
      if (error instanceof Failure && error.key === 'mail.unreachable' && words !== '')
        throw fail('mail.refused', { text: words }, { cause: error });
      throw error;
    } finally {
      transport.close?.();
      running?.end();
    }
  };
  return {
    send: (mail) => speak((transport) => transport.send(mail)),
    verify: () => speak((transport) => transport.verify()),
  };
}

/** A program that gets the mail on its input, and sender and recipients as arguments. */
export function openByArguments(program: string): MailTransport {
  return {
    async send(mail) {
      const recipients = recipientsOf(mail);
      const content = await composeMail(mail, 'unix');
      // An address may begin with a hyphen: behind -f and -- it is no option.
      const running = await start(program, ['-i', '-f', mail.from.address, '--', ...recipients]);
      running.child.stdin.end(content);
      const [code] = (await once(running.child, 'close')) as [number | null];
      running.end();
      if (code === 0) return recipients.length;
      if (code === null) throw fail('mail.unreachable', { text: 'it took too long' });
      throw refusal(running.errorText() || `it must end with code 0, not ${code}`, code === temporaryFailure);
    },
    async verify() {
      await access(program, constants.X_OK).catch((error: NodeJS.ErrnoException) => {
        throw notStarted(error);
      });
    },
  };
}

/** `EX_TEMPFAIL` of sysexits.h: to be tried again. */
const temporaryFailure = 75;

const notStarted = (error: NodeJS.ErrnoException) =>
  fail('mail.unreachable', { text: `it can not be started (${error.code ?? 'EUNKNOWN'})` }, { cause: error });

interface Running {
  child: ChildProcessWithoutNullStreams;
  /** The beginning of what it wrote to its error output. */
  errorText(): string;
  /** Kills it, unless it has ended. */
  end(): void;
}

const maxErrorText = 2_000;

async function start(program: string, args: string[]): Promise<Running> {
  const { PATH = '/usr/sbin:/usr/bin:/sbin:/bin' } = process.env;
  const child = spawn(program, args, { cwd: '/', env: { PATH }, stdio: 'pipe', shell: false });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorText) errors += chunk.toString();
  });
  // It may end before it has read all; its code and its words say why.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), sendTimeout);
  child.on('close', () => clearTimeout(timer));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(notStarted(error));
    });
  });
  child.on('error', () => {});
  return {
    child,
    errorText: () => transportText(errors.trim()),
    end() {
      if (child.exitCode === null && child.signalCode === null) setTimeout(() => child.kill('SIGKILL'), 1_000).unref();
    },
  };
}

/** Input and output of a process as what the library takes for a socket. */
function socketOf(child: ChildProcessWithoutNullStreams): Duplex {
  const duplex = Duplex.from({ readable: child.stdout, writable: child.stdin });
  // The time of the process is limited as a whole.
  return Object.assign(duplex, { setTimeout: () => duplex });
}
