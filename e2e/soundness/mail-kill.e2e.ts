// SIGKILL under queued mails, round after round, on each store: every person who was invited gets the mail, also from a mail server that
// was away, slow, full or lying meanwhile.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { type MailFailure, startMailServer } from '@sluice/testkit/mail-server';
import { soakRounds } from '@sluice/testkit/soak';
import { admin, expect, type Instance, startInstance, test } from '../instance.ts';
import { withFile } from './file.ts';

const rounds = soakRounds(2, 50);
/** What the mail server does while the process is killed. */
const weathers: (MailFailure | undefined)[] = ['slow', 'full', undefined, 'drops'];
const writers = 3;

const stores = [undefined, 'pgsql', 'mysql'] as const;

for (const engine of stores) {
  test(`no mail is lost on ${engine ?? 'SQLite'}, in round after round of SIGKILL under queued mails`, async () => {
    test.skip(engine !== undefined && (await engineMissing(engine)) !== undefined);
    test.setTimeout(soakRounds(120_000, 1_800_000));
    const database = engine && (await freshDatabase(engine));
    const folder = await mkdtemp(join(tmpdir(), 'sluice-mail-kill-'));
    const mailServer = await startMailServer();
    const instance = await startInstance(
      {
        ...{ SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password },
        ...(database ? { SLUICE_DATABASE_URL: database.url, SLUICE_SECRET: 's'.repeat(40) } : {}),
      },
      folder,
    );
    /** As when time goes by: what a killed process had is free, and what was put off is due. */
    const letTimePass = async () => {
      const past = "'2020-01-01T00:00:00.000Z'";
      const statements = [
        `update job set leased_until = ${past} where state = 'running'`,
        `update job set run_at = ${past} where state = 'waiting' and schedule is null`,
      ];
      for (const statement of statements) {
        if (database) await database.run(statement);
        else withFile(join(folder, 'sluice.sqlite'), (file) => file.exec(statement));
      }
    };
    const invited = new Set<string>();
    try {
      await sendInvitationsBy(instance, mailServer.port);
      for (let round = 0; round < rounds; round += 1) {
        mailServer.fail(weathers[round % weathers.length]);
        const before = invited.size;
        const running = Array.from({ length: writers }, (_, writer) =>
          inviteUntilKilled(instance, `p${round}-${writer}`, invited),
        );
        await expect.poll(() => invited.size - before, { intervals: [5] }).toBeGreaterThan(writers);
        await wait(Math.random() * 200);
        await instance.kill();
        await Promise.all(running);
        await letTimePass();
        if (round === rounds - 1) mailServer.fail(undefined);
        await instance.start();
      }
      const missing = () => {
        const arrived = new Set(mailServer.mails().flatMap(({ recipients }) => recipients));
        return [...invited].filter((address) => !arrived.has(address));
      };
      await expect.poll(missing, { intervals: [50], timeout: 60_000 }).toEqual([]);
      expect(invited.size).toBeGreaterThan(rounds * writers);
    } finally {
      await instance.stop();
      await mailServer.stop();
      await database?.drop();
    }
  });
}

/** Has invitations sent by this mail server. */
async function sendInvitationsBy(instance: Instance, port: number): Promise<void> {
  const config = { host: '127.0.0.1', port: String(port) };
  const record = { name: 'post', label: 'Post', type: 'smtp_email', is_active: true, config };
  const { body } = await instance.api('POST', 'system/service', { resource: [record] });
  const service = await instance.api('GET', 'system/service/7');
  const changed = { ...service.body.config, invite_email_service_id: body.resource[0].id };
  expect((await instance.api('PATCH', 'system/service/7', { config: changed })).status).toBe(200);
}

/** Invites one person after the other until the connection breaks. */
async function inviteUntilKilled(instance: Instance, prefix: string, invited: Set<string>): Promise<void> {
  for (let n = 0; ; n += 1) {
    const email = `${prefix}-${n}@example.com`;
    const record = { email, name: email };
    const answer = await instance
      .api('POST', 'system/user?send_invite=true', { resource: [record] })
      .catch(() => undefined);
    if (!answer) return;
    expect([answer, answer.status < 300]).toEqual([answer, true]);
    invited.add(email);
  }
}
