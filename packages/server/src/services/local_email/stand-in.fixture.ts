// A program that takes mails as sendmail does: by a dialogue (-bs), or on its input. What it takes is a file beside it.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const script = (record: string) => `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const keep = (mail) => appendFileSync(${JSON.stringify(record)}, JSON.stringify(mail) + '\\n');
const args = process.argv.slice(2);
let input = '';
process.stdin.setEncoding('utf8');
if (args[0] !== '-bs') {
  process.stdin.on('data', (chunk) => (input += chunk));
  process.stdin.on('end', () => {
    if (args.some((arg) => arg.startsWith('later'))) { console.error('come again'); process.exit(75); }
    if (args.some((arg) => arg.startsWith('refuse'))) { console.error('no such user'); process.exit(67); }
    keep({ args, input, environment: Object.keys(process.env) });
  });
} else {
  const say = (line) => process.stdout.write(line + '\\r\\n');
  let mail = { args, recipients: [] };
  let isData = false;
  say('220 stand-in');
  process.stdin.on('data', (chunk) => {
    input += chunk;
    for (let end; (end = input.indexOf('\\r\\n')) >= 0; ) {
      const line = input.slice(0, end);
      input = input.slice(end + 2);
      if (isData) {
        if (line === '.') { isData = false; keep(mail); say('250 taken'); }
        else mail.input = (mail.input ?? '') + line + '\\n';
      } else if (/^RCPT TO:<refuse/i.test(line)) say('550 5.1.1 no such user');
      else if (/^RCPT TO:<crash/i.test(line)) { console.error('the disk is full'); process.exit(70); }
      else if (/^RCPT/i.test(line)) { mail.recipients.push(line); say('250 ok'); }
      else if (/^MAIL/i.test(line)) { mail.from = line; say('250 ok'); }
      else if (/^DATA/i.test(line)) { isData = true; say('354 go on'); }
      else if (/^QUIT/i.test(line)) { say('221 bye'); process.exit(0); }
      else say('250 stand-in');
    }
  });
}
`;

/** Makes the program in a folder. */
export function makeSendmail(folder: string) {
  const [path, record] = [join(folder, 'sendmail'), join(folder, 'mails')];
  writeFileSync(path, script(record));
  chmodSync(path, 0o755);
  return {
    path,
    /** What it took, the newest last. */
    mails: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
