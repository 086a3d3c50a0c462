// Scripts of Python that mean harm, and what becomes of them.
import type { EngineCase } from '../../engine-suite.fixture.ts';
import type { HostilePlace } from '../../hostile-place.fixture.ts';

const attempt = `
import os
def attempt(work):
    try:
        work()
        return True
    except Exception:
        return False
`;

export const hostilePython = ({ folder, port, pid }: HostilePlace): EngineCase[] => [
  {
    name: 'harm: processes without end, by fork',
    script: { python: 'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass' },
    expected: { failure: ['test.timeout', 'script.memory'] },
  },
  {
    name: 'harm: threads without end',
    script: {
      python: 'import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,)).start()',
    },
    expected: { failure: ['exception', 'script.memory', 'script.exit', 'test.timeout'] },
  },
  {
    name: 'harm: files without end',
    script: {
      python:
        "size = 0\ntry:\n    for n in range(1000):\n        with open('/tmp/%d' % n, 'wb') as file:\n            size += file.write(b'x' * 1000000)\nexcept OSError:\n    pass\nreturn size <= 17 * 1024 * 1024 and size > 0",
    },
    expected: { returned: true },
  },
  {
    name: 'harm: writing anywhere but to its own folder',
    script: {
      python: `${attempt}\nreturn [folder for folder in ['/', '/usr', '/etc', '/run', '/run/sluice', '/dev', '/dev/shm', '/var/tmp', '${folder}'] if attempt(lambda: open(folder + '/left', 'w'))]`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: output without end, of a process that it starts',
    script: { python: "import subprocess\nsubprocess.run(['yes', 'x' * 100])\nreturn 1" },
    expected: { failure: 'test.output' },
  },
  {
    name: 'harm: connections to the server and to elsewhere',
    script: {
      python: `${attempt}\nimport socket\nreturn [place for place in [('127.0.0.1', ${port}), ('0.0.0.0', ${port}), ('1.1.1.1', 53)] if attempt(lambda: socket.create_connection(place, 2))]`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: signals to the server and to its own parent',
    script: {
      python: `${attempt}\nreturn [pid for pid in [${pid}, os.getppid()] if pid > 1 and attempt(lambda: os.kill(pid, 9))]`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: a signal to all processes',
    script: { python: 'import os\nos.kill(-1, 9)\nos.kill(os.getpid(), 9)' },
    expected: { failure: ['script.exit', 'script.noEvent', 'exception'] },
  },
  {
    name: 'harm: reading what the server keeps',
    script: {
      python: `${attempt}\nreturn [path for path in ['${folder}/secret.key', '/proc/${pid}/environ', '/proc/${pid}/root${folder}/secret.key', '/proc/1/root${folder}/secret.key', '/etc/shadow', '/etc/passwd'] if attempt(lambda: open(path).read())] + [path for path in ['${folder}', '/root', '/home', '/proc/${pid}'] if attempt(lambda: os.listdir(path))]`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: the environment of the server',
    script: { python: "import os\nreturn [name for name in os.environ if 'SLUICE' in name or 'KEY' in name]" },
    expected: { returned: [] },
  },
  {
    name: 'harm: system calls by ctypes, which give no other rights',
    script: {
      python:
        "import ctypes\nlibc = ctypes.CDLL(None)\nreturn [libc.setuid(0), libc.chroot(b'/usr'), libc.mount(b'none', b'/usr', b'tmpfs', 0, None), libc.ptrace(16, 1, 0, 0)]",
    },
    expected: { returned: [-1, -1, -1, -1] },
  },
  {
    name: 'harm: memory that is not there, by ctypes',
    script: { python: 'import ctypes\nctypes.string_at(1)' },
    expected: { failure: 'script.exit' },
  },
  {
    name: 'harm: a forged reply that is nonsense',
    script: { python: "import os, time\nos.write(3, b'nonsense\\n')\ntime.sleep(60)" },
    expected: { failure: 'script.noEvent' },
  },
  {
    name: 'harm: a forged reply, which is no more than its own',
    script: {
      python:
        'import os, time\nos.write(3, b\'{"kind":"done","event":"{}","returned":"[1]"}\\n{"kind":"done","event":"{}","returned":"[2]"}\\n\')\ntime.sleep(60)',
    },
    expected: { returned: [1] },
  },
  {
    name: 'harm: a forged reply without end',
    script: { python: "import os\nwhile True:\n    os.write(3, b'x' * 100000)" },
    expected: { failure: 'script.tooMuchResult' },
  },
  {
    name: 'harm: a process that stops itself',
    script: { python: 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)' },
    expected: { failure: 'test.timeout' },
  },
  {
    name: 'harm: a process that closes what it speaks by, and goes on',
    script: {
      python: 'import os\nfor number in range(4):\n    os.close(number)\nwhile True:\n    pass',
    },
    expected: { failure: 'test.timeout' },
  },
  {
    name: 'harm: files and processes that the run before left',
    before: [
      {
        python:
          "import subprocess\nopen('/tmp/left', 'w').write('x')\nsubprocess.Popen(['setsid', '-f', 'sleep', '60'])\nreturn 1",
      },
    ],
    script: {
      python:
        "import os\nnames = [open('/proc/%s/comm' % pid).read().strip() for pid in os.listdir('/proc') if pid.isdigit()]\nreturn [os.listdir('/tmp'), 'sleep' in names]",
    },
    expected: { returned: [[], false] },
  },
  {
    name: 'harm: a result that is nested without end',
    script: { python: 'deep = []\nfor n in range(100000):\n    deep = [deep]\nevent.deep = deep' },
    expected: { failure: ['exception', 'script.exit', 'script.noEvent'] },
  },
];
