// The command lines that start an interpreter confined: what it sees of the machine, as which user, and within which bounds.
// Nothing is started here.
import { dirname } from 'node:path';
import type { Confinement } from '../engine.ts';

/** What is started for a run of a script. */
export interface Program {
  /** The interpreter, an absolute path that is no link. */
  command: string;
  /** Its options and the program, which is found at `program`. */
  args: (program: string) => string[];
  /** The program that runs scripts, a file of ours. */
  programFile: string;
  /** Files and folders that the interpreter reads besides the system's own: its prefix where that is elsewhere, modules. */
  readable: readonly string[];
  /** Beside path, language and home. */
  env: Readonly<Record<string, string>>;
}

/** What the system holds a process of a run to, whatever the interpreter does. */
export interface ProcessBounds {
  /** Bytes of memory that a process may write to, of its own and of its stacks. */
  memory: number;
  /** Bytes of addresses of a process, memory that it shares with others included; absent: any. */
  addresses?: number;
  /** Processes and threads of a run. */
  processes: number;
  /** Bytes of all files of a run, which are in memory. */
  disk: number;
  /** Files and sockets that a process may have open. */
  files: number;
  /** Seconds of computing of a process. */
  seconds: number;
}

export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** All that it starts is in a namespace of processes, whose first is the only child of what is started here. */
  hasNamespace: boolean;
}

export interface LaunchPlace {
  /** Whether this process may become any user. */
  isRoot: boolean;
  /** The user id that the run has where it is not ours. */
  userId: number;
  /** What no script may see, wherever it is: the data folder. */
  hidden: readonly string[];
  /** Whether the system has a file, a folder or a link of that name; `target` is what a link says. */
  look(path: string): { kind: 'file' | 'folder' | 'link' | 'none'; target?: string };
}

/** Where the program is within the view of a run. */
const programFolder = '/run/sluice';

/** What every program of the system needs: its libraries, and where those are. */
const systemPaths = ['/usr', '/lib', '/lib64', '/lib32', '/bin', '/sbin', '/etc/ld.so.cache', '/etc/ld.so.conf'];
const devices = ['null', 'zero', 'full', 'random', 'urandom'];

/** What a run sees of the machine; in this order, what is later lies over what is earlier. */
type Part =
  | { kind: 'bind'; from: string; to: string }
  | { kind: 'link'; target: string; to: string }
  | { kind: 'folder' | 'hidden'; to: string };

function viewOf({ programFile, readable }: Program, { hidden, look }: LaunchPlace): Part[] {
  const parts: Part[] = [];
  const folders = new Set<string>(['/']);
  const addFolder = (path: string) => {
    if (folders.has(path)) return;
    addFolder(dirname(path));
    folders.add(path);
    parts.push({ kind: 'folder', to: path });
  };
  const bound: string[] = [];
  const isSeen = (path: string) => bound.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const addBind = (from: string, to: string) => {
    addFolder(dirname(to));
    parts.push({ kind: 'bind', from, to });
    bound.push(to);
  };
  for (const path of [...systemPaths, ...readable]) {
    const { kind, target } = look(path);
    if (kind === 'none' || isSeen(path)) continue;
    if (kind === 'link') parts.push({ kind: 'link', target: target as string, to: path });
    else addBind(path, path);
  }
  addBind(programFile, programIn(programFile));
  parts.push(...hidden.filter(isSeen).map((to) => ({ kind: 'hidden', to }) as const));
  return parts;
}

const programIn = (file: string) => `${programFolder}/${file.slice(file.lastIndexOf('/') + 1)}`;

/** `confinement` says by what; `none` bounds a process and confines it to nothing. */
export function launchOf(
  confinement: Exclude<Confinement, 'webassembly'>,
  program: Program,
  bounds: ProcessBounds,
  place: LaunchPlace,
): Launch {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    HOME: '/tmp',
    TMPDIR: '/tmp',
    ...program.env,
  };
  const isSeparate = confinement !== 'none';
  const file = isSeparate ? programIn(program.programFile) : program.programFile;
  const inner = [
    ...limitWords(bounds),
    ...(isSeparate && place.isRoot ? userWords(place.userId) : []),
    ...[program.command, ...program.args(file)],
  ];
  switch (confinement) {
    case 'bubblewrap':
      return {
        command: 'bwrap',
        args: [...bubblewrapWords(viewOf(program, place), bounds, place), '--', ...inner],
        ...{ env, hasNamespace: true },
      };
    case 'user':
      return {
        // The end of this process ends `unshare`, and that what it started.
        command: 'setpriv',
        args: [
          ...['--pdeathsig', 'KILL', 'unshare', '--mount', '--net', '--pid', '--ipc', '--uts', '--fork'],
          ...['--kill-child=KILL', '--propagation', 'private', '/bin/sh', '-euc', namespaceScript, 'sh'],
          ...[String(bounds.disk), ...viewOf(program, place).flatMap(wordsOfPart), '--', ...inner],
        ],
        ...{ env, hasNamespace: true },
      };
    case 'none':
      return { command: 'setpriv', args: ['--pdeathsig', 'KILL', ...inner], env, hasNamespace: false };
  }
}

const limitWords = ({ memory, addresses, processes, disk, files, seconds }: ProcessBounds): string[] => [
  'prlimit',
  ...[`--data=${memory}`, `--nproc=${processes}`, `--fsize=${disk}`, `--nofile=${files}`],
  ...(addresses === undefined ? [] : [`--as=${addresses}`]),
  ...[`--cpu=${seconds}`, '--core=0', '--memlock=0', '--msgqueue=0', '--'],
];

/** A user that owns nothing and has no rights beyond those of anybody. */
const userWords = (id: number): string[] => [
  'setpriv',
  ...['--reuid', String(id), '--regid', String(id), '--clear-groups'],
  ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--'],
];

function bubblewrapWords(view: Part[], { disk }: ProcessBounds, { isRoot }: LaunchPlace): string[] {
  return [
    ...['--die-with-parent', '--new-session'],
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    // Processes are counted by user, and those of the superuser are not: a run is that of another user, or of a namespace.
    ...(isRoot ? [] : ['--unshare-user', '--disable-userns']),
    ...view.flatMap(bubblewrapPart),
    ...['--perms', '0755', '--dir', '/dev'],
    ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    ...['--symlink', '/proc/self/fd', '/dev/fd', '--proc', '/proc'],
    ...['--perms', '1777', '--size', String(disk), '--tmpfs', '/tmp', '--chdir', '/tmp', '--remount-ro', '/'],
  ];
}

const bubblewrapPart = (part: Part): string[] => {
  switch (part.kind) {
    case 'bind':
      return ['--ro-bind', part.from, part.to];
    case 'link':
      return ['--symlink', part.target, part.to];
    case 'folder':
      return ['--perms', '0755', '--dir', part.to];
    case 'hidden':
      return ['--perms', '0000', '--size', '4096', '--tmpfs', part.to];
  }
};

/** What `namespaceScript` takes. */
const wordsOfPart = (part: Part): string[] => {
  switch (part.kind) {
    case 'bind':
      return ['bind', part.from, part.to];
    case 'link':
      return ['link', part.target, part.to];
    default:
      return [part.kind, '-', part.to];
  }
};

/**
 * What bubblewrap does, by programs that every Linux has: makes the view below a folder of memory and runs the rest in it. It
 * stays, as the first process of its namespace: all others end with it. Arguments: bytes of files, parts, `--`, a command.
 */
const namespaceScript = `
disk=$1; shift
base=/dev/shm
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev none $base
mkdir -m 755 $base/dev $base/proc
mkdir -m 1777 $base/tmp
while [ "$1" != -- ]; do
  case $1 in
    folder) mkdir -m 755 -p "$base$3" ;;
    link) ln -s "$2" "$base$3" ;;
    hidden) mount -t tmpfs -o size=4k,mode=000 none "$base$3" ;;
    bind)
      if [ -d "$2" ]; then mkdir -p "$base$3"; else : >"$base$3"; fi
      mount --bind "$2" "$base$3"
      mount -o remount,bind,ro,nosuid,nodev "$base$3" ;;
  esac
  shift 3
done
shift
for name in ${devices.join(' ')}; do
  : >$base/dev/$name
  mount --bind /dev/$name $base/dev/$name
done
ln -s /proc/self/fd $base/dev/fd
mount -t proc -o nosuid,nodev,noexec none $base/proc
mount -t tmpfs -o size=$disk,mode=1777,nosuid,nodev none $base/tmp
mount -o remount,ro $base
cd $base
chroot . /bin/sh -c 'cd /tmp && exec "$@"' sh "$@" && exit 0
exit $?
`;
