import { createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

export interface FtpServer extends LoopbackServer {
  /** Path → content; null is a folder. */
  files: Map<string, string | null>;
  received: string[];
}

/** An FTP server that accepts `ann` with a password and keeps its files in memory. */
export async function ftpServer(password: string, files = new Map<string, string | null>([['/', null]])): Promise<FtpServer> {
  const received: string[] = [];
  const loopback = await listening(createServer((socket) => serve(socket, { password, files, received })));
  return { ...loopback, files, received };
}

interface Shared {
  password: string;
  files: Map<string, string | null>;
  received: string[];
}

function serve(control: Socket, { password, files, received }: Shared): void {
  let data: { server: Server; socket: Promise<Socket> } | undefined;
  let renamed = '';
  const say = (line: string) => control.write(`${line}\r\n`);
  const transfer = async (work: (socket: Socket) => Promise<void>) => {
    say('150 here it comes');
    const socket = await data?.socket;
    if (socket) await work(socket);
    data?.server.close();
    say('226 done');
  };
  const commands: Record<string, (path: string) => unknown> = {
    USER: (name) => say(name === 'ann' ? '331 password please' : '530 who is that'),
    PASS: (given) => say(given === password ? '230 in' : '530 login incorrect'),
    FEAT: () => control.write('211-Features\r\n MLST type*;size*;modify*;\r\n211 end\r\n'),
    PWD: () => say('257 "/"'),
    async EPSV() {
      data?.server.close();
      data = await passive();
      const address = data.server.address();
      say(`229 Entering Extended Passive Mode (|||${typeof address === 'object' ? address?.port : 0}|)`);
    },
    MLSD: (path) => transfer(async (socket) => void socket.end(listing(files, path))),
    RETR: (path) =>
      files.has(path) ? transfer(async (socket) => void socket.end(files.get(path) ?? '')) : say('550 no such file'),
    STOR: (path) => transfer(async (socket) => void files.set(path, (await buffer(socket)).toString())),
    DELE: (path) => say(files.delete(path) ? '250 gone' : '550 no such file'),
    RMD: (path) =>
      say([...files.keys()].some((key) => key.startsWith(`${path}/`)) || !files.delete(path) ? '550 not empty' : '250 gone'),
    MKD: (path) => {
      if (!files.has(path)) files.set(path, null);
      say('257 made');
    },
    RNFR: (path) => {
      renamed = path;
      say(files.has(path) ? '350 to what' : '550 no such file');
    },
    RNTO: (path) => {
      files.set(path, files.get(renamed) ?? null);
      files.delete(renamed);
      say('250 renamed');
    },
  };
  let rest = '';
  control.on('close', () => data?.server.close());
  say('220 ready');
  control.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, verb = '', argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
      received.push(line);
      if (commands[verb]) commands[verb](argument);
      else say('200 as you like');
    }
  });
}

async function passive() {
  const { promise: socket, resolve } = Promise.withResolvers<Socket>();
  const server = createServer((connection) => resolve(connection.on('error', () => {})));
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return { server, socket };
}

function listing(files: Map<string, string | null>, folder: string): string {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return [...files]
    .filter(([path]) => path !== '/' && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
    .map(([path, content]) => {
      const facts = content === null ? 'type=dir' : `type=file;size=${content.length}`;
      return `${facts};modify=20260102030405; ${path.slice(prefix.length)}\r\n`;
    })
    .join('');
}
