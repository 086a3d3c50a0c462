// Scripts of PHP that mean harm, and what becomes of them.
import type { EngineCase } from '../../engine-suite.fixture.ts';
import type { HostilePlace } from '../../hostile-place.fixture.ts';

export const hostilePhp = ({ folder, port, pid }: HostilePlace): EngineCase[] => [
  {
    name: 'harm: processes without end, by fork',
    script: { php: "if (!function_exists('pcntl_fork')) { while (true) {} }\nwhile (true) { @pcntl_fork(); }" },
    expected: { failure: ['test.timeout', 'script.memory'] },
  },
  {
    name: 'harm: processes without end, of other programs',
    script: {
      php: "$all = []; while (true) { $process = @proc_open(['sleep', '60'], [], $pipes); if ($process) { $all[] = $process; } }",
    },
    expected: { failure: ['test.timeout', 'script.memory'] },
  },
  {
    name: 'harm: files without end',
    script: {
      php: '$size = 0; for ($n = 0; $n < 1000; $n++) { $size += (int) @file_put_contents("/tmp/$n", str_repeat(\'x\', 1000000)); } return $size <= 17 * 1024 * 1024 && $size > 0;',
    },
    expected: { returned: true },
  },
  {
    name: 'harm: writing anywhere but to its own folder',
    script: {
      php: `return array_values(array_filter(['/', '/usr', '/etc', '/run', '/run/sluice', '/dev', '/dev/shm', '/var/tmp', '${folder}'], fn ($folder) => @file_put_contents("$folder/left", 'x') !== false));`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: output without end, of a process that it starts',
    script: { php: "passthru('yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'); return 1;" },
    expected: { failure: 'test.output' },
  },
  {
    name: 'harm: connections to the server and to elsewhere',
    script: {
      php: `return array_values(array_filter(['tcp://127.0.0.1:${port}', 'tcp://0.0.0.0:${port}', 'tcp://1.1.1.1:53'], fn ($place) => @stream_socket_client($place, $code, $text, 2) !== false || @file_get_contents(str_replace('tcp', 'http', $place)) !== false));`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: signals to the server and to all processes',
    script: { php: `exec('kill -9 ${pid}', $lines, $code); return $code !== 0;` },
    expected: { returned: true },
  },
  {
    name: 'harm: a signal to all processes',
    script: { php: "exec('kill -9 -1'); exec('kill -9 ' . getmypid()); sleep(60);" },
    expected: { failure: ['script.exit', 'script.noEvent'] },
  },
  {
    name: 'harm: reading what the server keeps, by path and by other streams',
    script: {
      php: `return array_values(array_filter(['${folder}/secret.key', 'file://${folder}/secret.key', 'php://filter/resource=${folder}/secret.key', 'glob://${folder}/*', '/proc/${pid}/environ', '/proc/${pid}/root${folder}/secret.key', '/proc/1/root${folder}/secret.key', '/etc/shadow', '/etc/passwd', '/root', '/home'], fn ($path) => @file_get_contents($path) !== false || (@scandir($path) ?: []) !== []));`,
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: the environment of the server',
    script: {
      php: "return array_values(array_filter(array_keys(getenv() + $_ENV + $_SERVER), fn ($name) => preg_match('/SLUICE|KEY/', $name)));",
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: FFI and libraries that are loaded later',
    script: { php: "return [class_exists('FFI'), function_exists('dl') && @dl('ffi.so'), extension_loaded('ffi')];" },
    expected: { returned: [false, false, false] },
  },
  {
    name: 'harm: other rights, by other programs',
    script: {
      php: "return array_values(array_filter(['mount -t tmpfs none /usr', 'chroot /usr /bin/true', 'setpriv --reuid 0 id', 'prlimit --nproc=10000 true'], function ($line) { exec(\"$line 2>/dev/null\", $lines, $code); return $code === 0; }));",
    },
    expected: { returned: [] },
  },
  {
    name: 'harm: a forged reply that is nonsense',
    script: { php: 'file_put_contents(\'php://fd/3\', "nonsense\\n"); sleep(60);' },
    expected: { failure: 'script.noEvent' },
  },
  {
    name: 'harm: a forged reply, which is no more than its own',
    script: {
      php: 'file_put_contents(\'php://fd/3\', \'{"kind":"done","event":"{}","returned":"[1]"}\' . "\\n" . \'{"kind":"done","event":"{}","returned":"[2]"}\' . "\\n"); sleep(60);',
    },
    expected: { returned: [1] },
  },
  {
    name: 'harm: a forged reply without end',
    script: { php: "$channel = fopen('php://fd/3', 'w'); while (true) { fwrite($channel, str_repeat('x', 100000)); }" },
    expected: { failure: 'script.tooMuchResult' },
  },
  {
    name: "harm: what is the program's own",
    script: {
      php: 'foreach ((new ReflectionClass(\\Sluice\\Run::class))->getProperties() as $property) { $property->setAccessible(true); try { $property->setValue(null, []); } catch (\\TypeError) {} }\nexit;',
    },
    expected: { failure: ['script.noEvent', 'script.exit', 'exception'] },
  },
  {
    name: 'harm: files and processes that the run before left',
    before: [{ php: "file_put_contents('/tmp/left', 'x'); exec('setsid -f sleep 60 >/dev/null 2>&1'); return 1;" }],
    script: {
      php: "exec('cat /proc/[0-9]*/comm', $names); return [array_slice(scandir('/tmp'), 2), in_array('sleep', $names)];",
    },
    expected: { returned: [[], false] },
  },
];
