import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import type { ListenOptions } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { startDovecot } from '@sluice/test-support/servers';
import { imap } from '../../src/credentials/imap.ts';
import { emailReadImap } from '../../src/nodes/email-read-imap/email-read-imap.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { jsonOf, listenerBench } from '../../src/testing/listener-bench.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const bench = listenerBench(emailReadImap);
const password = 'correct horse';
const mail = (subject: string) => `From: Ann <ann@example.com>\r\nTo: bob@example.com\r\nSubject: ${subject}\r\n\r\nHi!\r\n`;

afterAll(async () => {
  await bench.close();
  await ports.close();
});

await describeWith(
  'Dovecot',
  () => startDovecot(password),
  ({ host, port, deliver, flagsIn, kill }) => {
    const login = { host, port, user: 'ann', password, secure: false };
    let mailbox = '';
    let count = 0;
    const start = (
      parameters: JsonObject = {},
      { credential = {}, ...more }: ListenOptions & { credential?: JsonObject } = {},
    ) => bench.start({ credentials: { imap: { ...login, ...credential } }, parameters: { mailbox, ...parameters }, ...more });
    const subjects = (listener: Awaited<ReturnType<typeof start>>) => jsonOf(listener).map(([json]) => json?.['subject']);

    beforeEach(() => {
      count += 1;
      mailbox = `box${count}`;
    });
    afterEach(() => bench.closeListeners());

    test('unread messages come first, then new messages, each once and in order', async () => {
      await deliver(mailbox, mail('read'), 'S');
      for (const subject of ['a', 'b']) await deliver(mailbox, mail(subject));
      const listener = await start();
      await eventually(() => expect(subjects(listener)).toEqual(['a', 'b']));
      await deliver(mailbox, mail('c'));
      await eventually(() => expect(subjects(listener)).toEqual(['a', 'b', 'c']));
      await eventually(async () => expect(await flagsIn(mailbox)).toEqual(['S', 'S', 'S', 'S']));
    });

    test('a message is read again only if it started no execution, even if no message is marked', async () => {
      for (const subject of ['a', 'b']) await deliver(mailbox, mail(subject));
      const parameters = { postProcessAction: 'nothing' };
      const beforeCommit = ({ items }: { items: readonly { json: JsonObject }[] }) => {
        if (items[0]?.json['subject'] === 'b') throw new AppError({ code: 'TRIGGER_CLOSED', message: 'no' });
      };
      const before = await start(parameters, { beforeCommit });
      await eventually(() => expect(before.failures).toMatchObject([{ code: 'TRIGGER_CLOSED' }]));
      await before.close();
      const after = await start(parameters, before.cursor ? { cursor: before.cursor } : {});
      await eventually(() => expect(subjects(after)).toEqual(['b']));
      expect((await flagsIn(mailbox)).join('')).toBe('');
    });

    test('custom rules select the messages', async () => {
      for (const subject of ['order 1', 'news', 'order 2']) await deliver(mailbox, mail(subject));
      const listener = await start({ options: { customEmailConfig: '["UNSEEN", ["SUBJECT", "order"], ["!SUBJECT", "2"]]' } });
      await eventually(() => expect(subjects(listener)).toEqual(['order 1']));
    });

    test('a large message is complete', async () => {
      await deliver(mailbox, `Subject: large\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(3_000_000, 'line of text\r\n'));
      const listener = await start({ format: 'raw' });
      await eventually(() => expect(listener.events).toHaveLength(1));
      expect(Buffer.from(String(jsonOf(listener)[0]?.[0]?.['raw']), 'base64url')).toHaveLength(3_000_000);
    });

    test('a missing mailbox or a wrong password prevents the start, and the error does not contain the password', async () => {
      await expect(start()).rejects.toMatchObject({ message: expect.stringMatching(/^IMAP: .*doesn't exist/) });
      const credential = { password: 'wrong one' };
      await expect(start({ mailbox: 'INBOX' }, { credential })).rejects.toMatchObject({
        message: expect.stringMatching(/^IMAP: (?!.*wrong one).*authentication failed/i),
      });
      const { signal } = new AbortController();
      expect(await imap.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(await imap.test?.({ ...login, ...credential }, ports, signal)).toEqual({
        status: 'Error',
        message: expect.stringMatching(/authentication failed/i),
      });
    });

    test('a lost server is reported', async () => {
      await deliver(mailbox, mail('a'));
      const listener = await start();
      await eventually(() => expect(subjects(listener)).toEqual(['a']));
      await kill();
      await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
    });
  },
);
