import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { AppError, type CredentialTestResult, type CredentialType, type JsonObject } from '@sluice/node-sdk';
import { BSON } from 'mongodb';
import { SMTPServer } from 'smtp-server';
import ssh2 from 'ssh2';
import { amqpServer } from '../testing/amqp-server.ts';
import { realPorts } from '../testing/credential-ports.ts';
import { kafkaServer } from '../testing/kafka-server.ts';
import { lineServer } from '../testing/line-server.ts';
import { amqp } from './amqp.ts';
import { ftp } from './ftp.ts';
import { imap } from './imap.ts';
import { kafka } from './kafka.ts';
import { mongoDb } from './mongo-db.ts';
import { mqtt } from './mqtt.ts';
import { mySql } from './my-sql.ts';
import { postgres } from './postgres.ts';
import { rabbitmq } from './rabbitmq.ts';
import { redis } from './redis.ts';
import { sftp } from './sftp.ts';
import { smtp } from './smtp.ts';
import { sshPassword } from './ssh.ts';

// Logins at the other services are tested with real servers: tests/services.
const ports = realPorts();
const signal = new AbortController().signal;
const password = 'correct horse';
const works = { status: 'OK', message: 'the connection works' };
let server: LoopbackServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

/** The three ways in which types specify a server. */
const at = (port: number) => ({ host: '127.0.0.1', hostname: '127.0.0.1', brokers: `127.0.0.1:${port}`, port });

/** Result of the type's credential test against this server. */
async function tried(
  type: CredentialType,
  data: JsonObject,
  more: { signal?: AbortSignal } = {},
): Promise<CredentialTestResult> {
  if (!type.test || !server) throw new Error('nothing to try');
  return type.test({ ...at(server.port), ...data }, ports, more.signal ?? signal);
}

async function serve(starting: Promise<LoopbackServer>): Promise<void> {
  server = await starting;
}

describe('smtp', () => {
  const start = (options: object = {}) => {
    const smtpServer = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password: received }, _, callback) =>
        username === 'ann' && received === password
          ? callback(null, { user: 'ann' })
          : callback(new Error(`no entry for ${username} with ${received}`)),
      ...options,
    });
    return serve(listening(smtpServer.server));
  };

  test('logs in', async () => {
    await start();
    expect(await tried(smtp, { user: 'ann', password, secure: false })).toEqual(works);
  });

  test('reports a refused login without the password', async () => {
    await start();
    const result = await tried(smtp, { user: 'ann', password: 'wrong one', secure: false });
    expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining('no entry for ann') });
    expect(result.message).not.toContain('wrong one');
  });

  test('with `secure`, rejects a server without TLS', async () => {
    await start();
    expect(await tried(smtp, { user: 'ann', password, secure: true })).toMatchObject({ status: 'Error' });
  });
});

describe('ftp', () => {
  let received: string[] = [];
  const start = () => {
    received = [];
    return serve(
      lineServer('220 ready', (line) => {
        received.push(line);
        if (line.startsWith('USER ann')) return '331 password please';
        if (line.startsWith('PASS ')) return line === `PASS ${password}` ? '230 in' : `530 not with ${line}`;
        return line === 'PWD' ? '257 "/"' : '502 no';
      }),
    );
  };

  test('reports the server’s message without the password', async () => {
    await start();
    expect(await tried(ftp, { username: 'ann', password: 'wrong one' })).toEqual({
      status: 'Error',
      message: '530 not with PASS ***',
    });
  });

  test('rejects a user name with a line break', async () => {
    await start();
    expect(await tried(ftp, { username: 'ann\r\nDELE x', password })).toMatchObject({ status: 'OK' });
    expect(received).toEqual(['USER annDELE x', `PASS ${password}`, 'PWD']);
  });
});

describe('ssh and sftp', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });

  const start = ({ asks = false, withSftp = true } = {}) => {
    const sshServer = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
      client.on('error', () => {});
      client.on('authentication', (attempt) => {
        if (attempt.method === 'keyboard-interactive') {
          attempt.prompt([{ prompt: 'Password:', echo: false }], ([entered]) =>
            entered === password ? attempt.accept() : attempt.reject(),
          );
        } else if (attempt.method === 'password' && !asks && attempt.password === password) attempt.accept();
        else attempt.reject([asks ? 'keyboard-interactive' : 'password']);
      });
      client.on('ready', () =>
        client.on('session', (accept) => {
          const session = accept();
          if (withSftp) session.on('sftp', (acceptSftp) => void acceptSftp());
        }),
      );
    });
    // Tracks the connections of the server it wraps.
    return serve(listening((sshServer as never as { _srv: Server })._srv));
  };

  test('sends the password to a server that prompts for it', async () => {
    await start({ asks: true });
    expect(await tried(sshPassword, { username: 'ann', password })).toEqual(works);
  });

  test('SFTP requires the subsystem, not only a login', async () => {
    await start();
    expect(await tried(sftp, { username: 'ann', password })).toEqual(works);
    await server?.close();
    await start({ withSftp: false });
    expect(await tried(sftp, { username: 'ann', password })).toMatchObject({ status: 'Error' });
  });
});

describe('mongoDb', () => {
  /**
   * A server that only responds to `hello` and `ping` in the wire protocol (OP_QUERY and OP_MSG).
   */
  const start = () =>
    serve(
      listening(
        createServer((socket) => {
          let buffer = Buffer.alloc(0);
          socket.on('data', (chunk: Buffer) => {
            buffer = Buffer.concat([buffer, chunk]);
            while (buffer.length >= 4 && buffer.length >= buffer.readInt32LE(0)) {
              answerMongo(socket, buffer.subarray(0, buffer.readInt32LE(0)));
              buffer = buffer.subarray(buffer.readInt32LE(0));
            }
          });
        }),
      ),
    );

  test('pings with a connection string or with separate fields', async () => {
    await start();
    const { port = 0 } = server ?? {};
    expect(await tried(mongoDb, { connectionString: `mongodb://127.0.0.1:${port}/db?directConnection=true` })).toEqual(works);
    expect(await tried(mongoDb, { configurationType: 'values', database: 'db' })).toEqual(works);
  });

  test.each([
    'mongodb://h/?tlsCAFile=/etc/passwd',
    'mongodb://h/?proxyHost=evil.example',
    'mongodb://h/?authMechanism=MONGODB-AWS',
    'mongodb://h/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:azure',
    'http://h/',
  ])('%s is refused', async (connectionString) => {
    await start();
    expect(await tried(mongoDb, { connectionString })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(/^the connection string/),
    });
  });
});

function answerMongo(socket: Socket, message: Buffer): void {
  const [requestId, opCode] = [message.readInt32LE(4), message.readInt32LE(12)];
  const body = BSON.serialize({
    ok: 1,
    ismaster: true,
    isWritablePrimary: true,
    helloOk: true,
    maxWireVersion: 21,
    minWireVersion: 0,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 1_000,
  });
  const isQuery = opCode === 2004;
  const head = isQuery ? Buffer.concat([Buffer.alloc(16), Buffer.from([1, 0, 0, 0])]) : Buffer.from([0, 0, 0, 0, 0]);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + head.length + body.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(isQuery ? 1 : 2013, 12);
  socket.write(Buffer.concat([header, head, body]));
}

describe('brokers', () => {
  const brokers = [
    [amqp, amqpServer, {}],
    [kafka, kafkaServer, { ssl: false, authentication: true }],
  ] as const;

  test.each(brokers.map(([type, start, data]) => [type.name, type, start, data] as const))(
    '%s logs in, and reports a refused login without the password',
    async (_, type, start, data) => {
      await serve(start(password));
      expect(await tried(type, { ...data, username: 'ann', password })).toEqual(works);
      const refused = await tried(type, { ...data, username: 'ann', password: 'wrong one' });
      expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/refused|not accept|failed/i) });
      expect(refused.message).not.toContain('wrong one');
    },
  );
});

describe('every connection', () => {
  const cases: [CredentialType, JsonObject][] = [
    [postgres, { user: 'u', password }],
    [mySql, { user: 'u', password }],
    [redis, { password }],
    [mongoDb, { configurationType: 'values' }],
    [smtp, { user: 'u', password, secure: false }],
    [imap, { user: 'u', password, secure: false }],
    [ftp, { username: 'u', password }],
    [sftp, { username: 'u', password }],
    [mqtt, { username: 'u', password }],
    [rabbitmq, { username: 'u', password }],
    [amqp, { username: 'u', password }],
    [kafka, { ssl: false, authentication: true, username: 'u', password }],
  ];

  test.each(cases.map(([type, data]) => [type.name, type, data] as const))(
    'of %s uses the guarded port',
    async (_, type, data) => {
      const blocked = {
        ...ports,
        connect: () => Promise.reject(new AppError({ code: 'CONNECTION_BLOCKED', message: 'this address is not allowed' })),
      };
      const result = await type.test?.({ ...at(1), ...data }, blocked, signal);
      expect(result).toEqual({ status: 'Error', message: 'this address is not allowed' });
    },
  );

  test.each(cases.map(([type, data]) => [type.name, type, data] as const))(
    'of %s ends when the signal fires',
    async (_, type, data) => {
      const controller = new AbortController();
      const reason = new Error('canceled');
      await serve(
        listening(
          createServer((socket) => {
            socket.resume();
            controller.abort(reason);
          }),
        ),
      );
      await expect(tried(type, data, { signal: controller.signal })).rejects.toBe(reason);
    },
  );
});
