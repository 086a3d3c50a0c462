// The servers and interpreters the tests want, and how they get here. How the tests reach them: packages/testkit/src/databases.ts.
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const servers = [
  { label: 'PostgreSQL', variable: 'TEST_POSTGRES_URL', port: 5432, program: 'postgres', aptPackage: 'postgresql' },
  { label: 'MariaDB', variable: 'TEST_MYSQL_URL', port: 3306, program: 'mariadbd', aptPackage: 'mariadb-server' },
  { label: 'Redis', variable: 'TEST_REDIS_URL', port: 6379, program: 'redis-server', aptPackage: 'redis-server' },
  { label: 'Memcached', program: 'memcached', aptPackage: 'memcached' },
  { label: 'Mosquitto', program: 'mosquitto', aptPackage: 'mosquitto' },
  { label: 'OpenSSH', program: 'sshd', aptPackage: 'openssh-server' },
  { label: 'ProFTPD', program: 'proftpd', aptPackage: 'proftpd-core' },
  { label: 'rclone', program: 'rclone', aptPackage: 'rclone' },
  { label: 'OpenLDAP', program: 'slapd', aptPackage: 'slapd' },
  { label: 'PHP', program: 'php', aptPackage: 'php-cli' },
  { label: 'Python', program: 'python3', aptPackage: 'python3' },
  { label: 'bubblewrap', program: 'bwrap', aptPackage: 'bubblewrap' },
];

/** Those that are neither named by the environment, nor listen on their port, nor are installed. */
export async function missingServers() {
  const isThere = await Promise.all(
    servers.map(
      async (it) => process.env[it.variable] || isInstalled(it.program) || (it.port && (await listens(it.port))),
    ),
  );
  return servers.filter((_, index) => !isThere[index]);
}

/** The line that installs them on Debian and its like: `apt-get … install … postgresql`. */
export function installLine(missing) {
  const apt = 'apt-get -o DPkg::Lock::Timeout=600';
  const packages = missing.map((it) => it.aptPackage).join(' ');
  return `${apt} update && ${apt} install -y --no-install-recommends ${packages}`;
}

/** Installs them where that can be done unasked: as root on Debian and its like. */
export async function installServers(missing) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing what the tests want: ${installLine(missing)}`);
  await run(['sh', '-c', installLine(missing)], { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}

function isInstalled(program) {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...versions, '/usr/sbin', '/usr/local/sbin', ...path].some((folder) => existsSync(join(folder, program)));
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (is) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
