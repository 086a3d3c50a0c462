import { describe, expect, it } from 'vitest';
import { type LaunchPlace, launchOf, type ProcessBounds, type Program } from './launch.ts';

const program: Program = {
  command: '/home/ada/.tool/bin/lang',
  args: (file) => ['-x', file],
  programFile: '/srv/sluice/dist/lang.txt',
  readable: ['/home/ada/.tool', '/usr/share/lang'],
  env: { LANG_HOME: '/home/ada/.tool' },
};
const bounds: ProcessBounds = { memory: 1_000, processes: 20, disk: 2_000, files: 40, seconds: 5 };
const place = (parts: Partial<LaunchPlace> = {}): LaunchPlace => ({
  ...{ isRoot: true, userId: 1_234_567, hidden: [] },
  look: (path) =>
    path === '/lib'
      ? { kind: 'link', target: 'usr/lib' }
      : { kind: ['/usr', '/home/ada/.tool'].includes(path) ? 'folder' : 'none' },
  ...parts,
});
const text = (...input: Parameters<typeof launchOf>) => launchOf(...input).args.join(' ');

describe.each(['bubblewrap', 'user'] as const)('%s', (confinement) => {
  it('shows the system, the interpreter and the program, and nothing else', () => {
    const words = text(confinement, program, bounds, place());
    for (const shown of ['/usr', '/home/ada/.tool', '/run/sluice/lang.txt']) expect(words).toContain(` ${shown} `);
    expect(words).not.toMatch(/bind \/ |bind \/home\/ada |bind \/srv\/sluice(\/dist)? /);
    // Seen with /usr already.
    expect(words).not.toContain('/usr/share/lang');
  });

  it('hides the data folder where the interpreter is beside it', () => {
    const inside = place({ hidden: ['/usr/local/sluice/data'] });
    expect(text(confinement, program, bounds, inside)).toContain('/usr/local/sluice/data');
    expect(text(confinement, program, bounds, place({ hidden: ['/var/data'] }))).not.toContain('/var/data');
  });

  it('has nothing of our environment, and bounds for each process', () => {
    const launch = launchOf(confinement, program, bounds, place());
    expect(Object.keys(launch.env).sort()).toEqual(['HOME', 'LANG', 'LANG_HOME', 'PATH', 'TMPDIR']);
    const words = launch.args.join(' ');
    expect(words).toContain('--data=1000 --nproc=20 --fsize=2000 --nofile=40 --cpu=5 --core=0');
    expect(words).toMatch(
      /--reuid 1234567 --regid 1234567 --clear-groups .* -- \/home\/ada\/.tool\/bin\/lang -x \/run\/sluice/,
    );
  });
});

it('bubblewrap of another user than the superuser has a namespace of users, and none further in', () => {
  const words = text('bubblewrap', program, bounds, place({ isRoot: false }));
  expect(words).toContain('--unshare-user --disable-userns');
  expect(words).not.toContain('--reuid');
});
