// Folders of SFTP servers as file services. The calls are the same for every file service (server/src/storage).
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
import { isFingerprint } from './fingerprint.ts';
import { readPrivateKey } from './private-key.ts';
import { openSftpStorage } from './sftp-storage.ts';

const usualPort = 22;

/** Files of an SFTP server; `uploadLimit` in bytes. */
export const sftpFile = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'sftp_file',
    label: 'SFTP File Storage',
    description: 'File service supporting the SFTP protocol.',
    config: {
      host: field.string({
        label: 'Host',
        required: true,
        destination: true,
        description: 'Name or address of the SFTP server.',
      }),
      port: field.integer({
        label: 'Port',
        default: usualPort,
        destination: true,
        description: 'Blank: 22, the usual one.',
      }),
      username: field.string({
        label: 'Username',
        destination: true,
        description: 'The account of the server that the service signs in with.',
      }),
      password: field.secret({
        label: 'Password',
        description: 'Its password; with a private key, the passphrase of that.',
      }),
      timeout: field.integer({
        label: 'Timeout',
        default: 90,
        description: 'Seconds that the server may take for an answer, 600 at most.',
      }),
      host_fingerprint: field.text({
        label: 'Host Finger Print',
        destination: true,
        description:
          'Fingerprint of the host key, as ssh-keygen -l prints it: SHA256:…; or MD5 or SHA-1 in hexadecimal, as older ones. A server with another key is refused. Blank: any key is taken.',
      }),
      private_key: {
        ...field.text({
          label: 'Private Key',
          description:
            'Text of a private key (PEM or OpenSSH) to sign in with in place of the password, or the absolute path of a file with it on the machine of this instance.',
        }),
        secret: true,
      },
      ...pathFields({
        label: 'Root folder',
        description: 'Folder of the server, absolute or from where the account starts; made when it is missing.',
      }),
    },
    check(config) {
      checkHost(config);
      checkFolder(config.container);
      const { host_fingerprint: fingerprint } = config;
      if (fingerprint?.trim() && !isFingerprint(fingerprint))
        throw refuseField(
          'host_fingerprint',
          'The host_fingerprint must be SHA256:… or hexadecimal (MD5, SHA-1 or SHA-256).',
        );
    },
    address: ({ host, port }) => hostAddress(host, port ?? usualPort),
    test: (config) => testStorage(openSftp(config)),
    open: openSftp,
  });

interface SftpConfig {
  host: string | null;
  port: number | null;
  username: string | null;
  password: string | null;
  timeout: number | null;
  host_fingerprint: string | null;
  private_key: string | null;
  container: string | null;
}

async function openSftp(config: SftpConfig) {
  const { host, port, username, password, timeout, host_fingerprint, private_key, container } = config;
  const server = {
    host: host?.trim() ?? '',
    port: port ?? usualPort,
    username: username ?? '',
    password: password ?? '',
    privateKey: private_key?.trim() ? await readPrivateKey(private_key) : undefined,
    fingerprint: host_fingerprint?.trim() || undefined,
    timeout: secondsOf(timeout),
  };
  return openSftpStorage(server, container?.trim() ?? '');
}
