// Injects behavior that Dovecot (tests/services) does not have: late greetings, false sizes, closed
// connections.
import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** A message in the inbox. */
interface ImapMail {
  uid: number;
  flags: Set<string>;
  source: string;
}

export interface ImapServer extends LoopbackServer {
  mails: ImapMail[];
  uidValidity: number;
  /** Adds a message to the inbox and notifies idling clients. */
  deliver(source: string, flags?: string[]): ImapMail;
  /** Commands, without their tags. */
  received: string[];
  /** Reported instead of each message's size. */
  claimedSize: number | undefined;
  /** Closes all connections. */
  hangUp(): void;
}

export interface ImapServing {
  /** Enables TLS from the start of the connection. */
  certificate?: { cert: string; key: string };
  /** Turns of the event loop before the greeting. */
  greetsAfter?: number;
}

type Seen = Omit<ImapServer, keyof LoopbackServer> & { sockets: Set<Socket> };

/**
 * An IMAP4rev1 server with IDLE that accepts `ann` with a password and has one mailbox, `INBOX`. It
 * searches by SEEN, UNSEEN, UID, position, and subject.
 */
export async function imapServer(password: string, { certificate, greetsAfter = 0 }: ImapServing = {}): Promise<ImapServer> {
  const seen: Seen = {
    mails: [],
    uidValidity: 1,
    received: [],
    claimedSize: undefined,
    sockets: new Set(),
    deliver(source, flags = []) {
      const mail = { uid: Math.max(0, ...seen.mails.map(({ uid }) => uid)) + 1, flags: new Set(flags), source };
      seen.mails.push(mail);
      for (const socket of seen.sockets) socket.write(`* ${seen.mails.length} EXISTS\r\n`);
      return mail;
    },
    hangUp() {
      for (const socket of seen.sockets) socket.destroy();
    },
  };
  const onConnection = (socket: Socket) => {
    serve(socket, password, seen);
    void greet(socket, greetsAfter);
  };
  const server = certificate ? createTlsServer(certificate, onConnection) : createServer(onConnection);
  return Object.assign(seen, await listening(server));
}

async function greet(socket: Socket, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] ready\r\n');
}

function serve(socket: Socket, password: string, seen: Seen): void {
  socket.once('close', () => seen.sockets.delete(socket));
  let idleTag = '';
  let rest = '';
  socket.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) answer(line);
  });

  function answer(line: string): void {
    if (line === 'DONE') return void socket.write(`${idleTag} OK done\r\n`);
    const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    seen.received.push(command);
    if (/^IDLE|^SELECT|^EXAMINE/i.test(command)) seen.sockets.add(socket);
    if (/^IDLE/i.test(command)) {
      idleTag = tag;
      return void socket.write('+ idling\r\n');
    }
    for (const text of answersTo(command, password, seen)) socket.write(text.replaceAll('<tag>', tag));
    if (/^LOGOUT/i.test(command)) socket.end();
  }
}

function answersTo(command: string, password: string, seen: Seen): string[] {
  const done = '<tag> OK done\r\n';
  const word = command.replace(/^UID /i, '').split(' ')[0]?.toUpperCase();
  switch (word) {
    case 'LOGIN':
      return command.replaceAll('"', '') === `LOGIN ann ${password}`
        ? [done]
        : ['<tag> NO [AUTHENTICATIONFAILED] who is that\r\n'];
    case 'CAPABILITY':
      return ['* CAPABILITY IMAP4rev1 IDLE\r\n', done];
    case 'LIST':
    case 'LSUB':
      return /INBOX/.test(command) ? [`* ${word} () "/" INBOX\r\n`, done] : [`* ${word} () "/" ""\r\n`, done];
    case 'SELECT':
    case 'EXAMINE':
      if (!/INBOX/.test(command)) return ['<tag> NO [NONEXISTENT] no such mailbox\r\n'];
      return [
        `* ${seen.mails.length} EXISTS\r\n* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] ok\r\n`,
        `* OK [UIDVALIDITY ${seen.uidValidity}] ok\r\n* OK [UIDNEXT ${seen.mails.length + 1}] ok\r\n<tag> OK [READ-WRITE] done\r\n`,
      ];
    case 'SEARCH':
      return [`* SEARCH ${found(command, seen).join(' ')}\r\n`.replace(' \r', '\r'), done];
    case 'FETCH':
      return [fetched(command, seen), done];
    case 'STORE':
      return [stored(command, seen), done];
    default:
      return [done];
  }
}

function found(command: string, { mails }: Seen): number[] {
  const [, from] = /UID (\d+):\*/.exec(command.slice(4)) ?? [];
  const [, first, end] = / (\d+):(\d+)/.exec(command.replace(/ UID \d+:\*/, '')) ?? [];
  const [, subject] = /SUBJECT "?([^" ]+)/.exec(command) ?? [];
  const last = mails.at(-1)?.uid ?? 0;
  return mails
    .slice(Number(first ?? 1) - 1, end === undefined ? mails.length : Number(end))
    .filter(({ flags }) => !/UNSEEN/.test(command) || !flags.has('\\Seen'))
    .filter(({ source }) => subject === undefined || new RegExp(`^Subject:.*${subject}`, 'm').test(source))
    .map(({ uid }) => uid)
    .filter((uid) => from === undefined || uid >= Math.min(Number(from), last));
}

function fetched(command: string, seen: Seen): string {
  const [, uid] = /FETCH (\d+)/i.exec(command) ?? [];
  const index = seen.mails.findIndex((mail) => mail.uid === Number(uid));
  const mail = seen.mails[index];
  if (!mail) return '';
  const size = Buffer.byteLength(mail.source);
  const facts = `UID ${mail.uid} FLAGS (${[...mail.flags].join(' ')}) RFC822.SIZE ${size}`;
  const body = /BODY(\.PEEK)?\[\]/i.test(command) ? ` BODY[]<0> {${seen.claimedSize ?? size}}\r\n${mail.source}` : '';
  return `* ${index + 1} FETCH (${facts}${body})\r\n`;
}

function stored(command: string, seen: Seen): string {
  const [, uid, flag = ''] = /STORE (\d+) \+FLAGS\S* \(([^)]*)\)/i.exec(command) ?? [];
  const mail = seen.mails.find((candidate) => candidate.uid === Number(uid));
  mail?.flags.add(flag);
  return mail ? `* ${seen.mails.indexOf(mail) + 1} FETCH (UID ${uid} FLAGS (${[...mail.flags].join(' ')}))\r\n` : '';
}
