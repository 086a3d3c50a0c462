// Folders of FTP servers as file services. The calls are the same for every file service (server/src/storage).
import { configField as field } from '@sluice/contract';
import { fileType, pathFields } from '../../storage/index.ts';
import {
  checkFolder,
  checkHost,
  hostAddress,
  refuseField,
  secondsOf,
  testStorage,
} from '../../storage/remote-config.ts';
import type { Storage } from '../../storage/storage.ts';
import { openFtpStorage } from './ftp-storage.ts';

const usualPort = 21;

/** Files of an FTP server; `uploadLimit` in bytes. */
export const ftpFile = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'ftp_file',
    label: 'FTP File Storage',
    description: 'File service supporting the FTP protocol.',
    config: {
      host: field.string({
        label: 'Host',
        required: true,
        destination: true,
        description: 'Name or address of the FTP server.',
      }),
      port: field.integer({
        label: 'Port',
        default: usualPort,
        destination: true,
        description: 'Blank: 21, the usual one.',
      }),
      username: field.string({
        label: 'Username',
        destination: true,
        description: 'The account of the server that the service signs in with. Blank: anonymous.',
      }),
      password: field.secret({ label: 'Password', description: 'Its password.' }),
      ssl: field.boolean({
        label: 'SSL',
        default: false,
        destination: true,
        description:
          'The connection and its transfers are encrypted (explicit TLS); the certificate of the server must be valid for its name. Off, everybody on the way can read the password.',
      }),
      timeout: field.integer({
        label: 'Timeout',
        default: 90,
        description: 'Seconds that the server may take for an answer, 600 at most.',
      }),
      passive: field.boolean({
        label: 'Passive',
        default: true,
        description: 'Transfers go over connections to the server. It has to be on: the other way is not available.',
      }),
      ...pathFields({
        label: 'Root folder',
        description: 'Folder of the server, absolute or from where the account starts; made when it is missing.',
      }),
    },
    check(config) {
      checkHost(config);
      checkFolder(config.container);
      if (config.passive === false)
        throw refuseField('passive', 'The passive field must be on: active connections are not available.');
      for (const name of ['username', 'password'] as const)
        if (/[\r\n\0]/.test(config[name] ?? '')) throw refuseField(name, `The ${name} must be one line.`);
    },
    address: ({ host, port }) => hostAddress(host, port ?? usualPort),
    test: (config) => testStorage(openFtp(config)),
    open: openFtp,
  });

interface FtpConfig {
  host: string | null;
  port: number | null;
  username: string | null;
  password: string | null;
  ssl: boolean | null;
  timeout: number | null;
  container: string | null;
}

async function openFtp({ host, port, username, password, ssl, timeout, container }: FtpConfig): Promise<Storage> {
  const server = {
    host: host?.trim() ?? '',
    port: port ?? usualPort,
    username: username ?? '',
    password: password ?? '',
    isSecure: ssl ?? false,
    timeout: secondsOf(timeout),
  };
  return openFtpStorage(server, container?.trim() ?? '');
}
