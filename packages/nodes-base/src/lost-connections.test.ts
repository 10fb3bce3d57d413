import { createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import type { JsonObject, NodeType } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { amqp } from './nodes/amqp/amqp.ts';
import { ftp } from './nodes/ftp/ftp.ts';
import { kafka } from './nodes/kafka/kafka.ts';
import { mongoDb } from './nodes/mongo-db/mongo-db.ts';
import { mySql } from './nodes/my-sql/my-sql.ts';
import { postgres } from './nodes/postgres/postgres.ts';
import { rabbitmq } from './nodes/rabbitmq/rabbitmq.ts';
import { redis } from './nodes/redis/redis.ts';
import { sendEmail } from './nodes/send-email/send-email.ts';
import { ssh } from './nodes/ssh/ssh.ts';
import { amqpServer } from './testing/amqp-server.ts';
import { realPorts } from './testing/credential-ports.ts';
import { runNode } from './testing/fake-context.ts';
import { kafkaServer } from './testing/kafka-server.ts';
import { mongoServer } from './testing/mongo-server.ts';
import { mySqlServer } from './testing/my-sql-server.ts';
import { rabbitMqServer } from './testing/rabbitmq-server.ts';
import { sshServer } from './testing/ssh-server.ts';

const ports = realPorts();
afterAll(() => ports.close());
const host = '127.0.0.1';
const login = { host, user: 'ann', username: 'ann', password: 'secret' };

interface Case {
  type: NodeType;
  /** Starts a server that ends the connection with `hangUp` in the middle of an operation. */
  serve(): Promise<LoopbackServer>;
  credentials(port: number): Record<string, JsonObject>;
  parameters: JsonObject;
}

/** A server that responds to each chunk; `undefined` ends the connection. */
function answering(greeting: string | Buffer, answer: (text: string) => string | Buffer | undefined): Promise<LoopbackServer> {
  return listening(
    createServer((socket: Socket) => {
      if (greeting.length > 0) socket.write(greeting);
      socket.on('data', (chunk) => {
        const reply = answer(chunk.toString('latin1'));
        if (reply === undefined) socket.destroy();
        else socket.write(reply);
      });
    }),
  );
}

/** Starts a server whose connections end as soon as it receives the operation. */
async function closing<T extends LoopbackServer>(start: (hangUp: () => void) => Promise<T>): Promise<LoopbackServer> {
  let server: T | undefined;
  server = await start(() => void server?.close());
  return server;
}

/** Closes a broker when it receives a message, without acknowledging it. */
async function closingAfterMessage<T extends LoopbackServer & { messages: unknown[] }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  void eventually(() => server.messages.length > 0).then(() => server.close());
  return server;
}

const authenticated = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
const query = { operation: 'executeQuery', query: 'SELECT 1' };

const cases: Record<string, Case> = {
  mySql: {
    type: mySql,
    serve: () =>
      closing((hangUp) =>
        mySqlServer(() => {
          hangUp();
          return 'silence';
        }),
      ),
    credentials: (port) => ({ mySql: { ...login, port } }),
    parameters: query,
  },
  postgres: {
    type: postgres,
    serve: () => answering('', (text) => (text.includes('user') ? authenticated : undefined)),
    credentials: (port) => ({ postgres: { ...login, port, ssl: 'disable' } }),
    parameters: query,
  },
  'postgres, which says that it shuts down': {
    type: postgres,
    serve: () => {
      const parts = [
        ['S', 'FATAL'],
        ['V', 'FATAL'],
        ['C', '57P01'],
        ['M', 'the administrator ends the connection'],
      ];
      const fields = `${parts.map((part) => `${part.join('')}\0`).join('')}\0`;
      const message = Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`, 'latin1');
      return answering('', (text) => (text.includes('user') ? authenticated : message));
    },
    credentials: (port) => ({ postgres: { ...login, port, ssl: 'disable' } }),
    parameters: query,
  },
  redis: {
    type: redis,
    serve: () => answering('', (text) => (/\r\nget\r\n/i.test(text) ? undefined : text.replace(/\*\d+\r\n[^*]*/g, '+OK\r\n'))),
    credentials: (port) => ({ redis: { host, port, user: '', password: '', database: 0 } }),
    parameters: { operation: 'get', key: 'k', propertyName: 'x', keyType: 'string' },
  },
  mongoDb: {
    type: mongoDb,
    serve: () =>
      closing((hangUp) =>
        mongoServer(() => {
          hangUp();
          return undefined;
        }),
      ),
    credentials: (port) => ({ mongoDb: { connectionString: `mongodb://${host}:${port}/d?serverSelectionTimeoutMS=300` } }),
    parameters: { operation: 'insert', collection: 'c', fields: 'a' },
  },
  ssh: {
    type: ssh,
    serve: () => closing((hangUp) => sshServer('secret', { run: hangUp })),
    credentials: (port) => ({ sshPassword: { ...login, port } }),
    parameters: { command: 'sleep' },
  },
  ftp: {
    type: ftp,
    serve: () => answering('220 hello\r\n', (line) => (/^DELE/.test(line) ? undefined : '200 fine\r\n')),
    credentials: (port) => ({ ftp: { ...login, port } }),
    parameters: { operation: 'delete', path: '/a' },
  },
  'send-email': {
    type: sendEmail,
    serve: () =>
      answering('220 hello\r\n', (line) =>
        /^MAIL/.test(line) ? undefined : /^EHLO/.test(line) ? '250 hello\r\n' : '250 ok\r\n',
      ),
    credentials: (port) => ({ smtp: { host, port, secure: false, disableStartTls: true } }),
    parameters: { fromEmail: 'a@example.com', toEmail: 'b@example.com', subject: 's', text: 't' },
  },
  kafka: {
    type: kafka,
    serve: () => closingAfterMessage(kafkaServer('secret')),
    credentials: (port) => ({ kafka: { ...login, brokers: `${host}:${port}`, ssl: false, authentication: true } }),
    parameters: { topic: 'silent', sendInputData: true },
  },
  rabbitmq: {
    type: rabbitmq,
    serve: () => closingAfterMessage(rabbitMqServer('secret')),
    credentials: (port) => ({ rabbitmq: { ...login, hostname: host, port } }),
    parameters: { queue: 'silent', sendInputData: true },
  },
  amqp: {
    type: amqp,
    serve: () => closingAfterMessage(amqpServer('secret')),
    credentials: (port) => ({ amqp: { ...login, hostname: host, port } }),
    parameters: { sink: 'silent' },
  },
};

test.each(Object.entries(cases))('a connection lost in the middle of an operation has a separate code: %s', async (_, loss) => {
  const server = await loss.serve();
  try {
    const run = { parameters: loss.parameters, credentials: loss.credentials(server.port), connect: ports.connect };
    const lost = { code: 'CONNECTION_FAILED', message: expect.stringMatching(/connection|client/i) };
    await expect(runNode(loss.type, { ...run, json: [{ a: 1 }] })).rejects.toMatchObject(lost);
  } finally {
    await server.close();
  }
});
