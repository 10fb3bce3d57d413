import { afterAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { realPorts } from '../testing/credential-ports.ts';
import { kafkaServer } from '../testing/kafka-server.ts';
import { mongoServer } from '../testing/mongo-server.ts';
import { openKafka } from './kafka-client.ts';
import { openMongo } from './mongo-client.ts';

const ports = realPorts();
afterAll(() => ports.close());

const signal = () => AbortSignal.timeout(20_000);
const salt = Buffer.from('sixteen bytes ok').toString('base64');
/** The server's first message. */
const firstMessage = (nonce: string, iterations: number) => `r=${nonce}more,s=${salt},i=${iterations}`;
const nonceOf = (message: string) => message.split('r=')[1] ?? '';

const tooMany = /100001 PBKDF2 iterations for the login; at most 100000/;
const tooLong = /login message from the server is too long/;

describe('MongoDB', () => {
  const payloadOf = (iterations: number, nonce = 'x') => ({ payload: Buffer.from(firstMessage(nonce, iterations)) });

  /** The error of a login, and whether the client sent its proof. */
  async function logIn(mechanism: string, first: Document, greeting: Document = {}) {
    const server = await mongoServer(
      (command) => ('saslStart' in command ? { conversationId: 1, done: false, ...first } : { ok: 0, errmsg: 'wrong proof' }),
      greeting,
    );
    const url = `mongodb://ann:secret@127.0.0.1:${server.port}/db?directConnection=true&authMechanism=${mechanism}`;
    try {
      const error = await openMongo({ connectionString: url }, ports, signal()).catch((caught: unknown) => caught);
      return { error, proved: server.received.some((command) => 'saslContinue' in command) };
    } finally {
      await server.close();
    }
  }

  test.each(['SCRAM-SHA-1', 'SCRAM-SHA-256'])('%s: more than 100,000 iterations are refused', async (mechanism) => {
    const { error, proved } = await logIn(mechanism, payloadOf(100_001));
    expect(String(error)).toMatch(tooMany);
    expect(proved).toBe(false);
  });

  test('100,000 iterations are computed', async () => {
    const { error, proved } = await logIn('SCRAM-SHA-256', payloadOf(100_000));
    expect(String(error)).toMatch(/wrong proof/);
    expect(proved).toBe(true);
  });

  test('a first message within the greeting is checked too', async () => {
    const { error, proved } = await logIn('SCRAM-SHA-256', {}, { speculativeAuthenticate: payloadOf(100_001) });
    expect(String(error)).toMatch(tooMany);
    expect(proved).toBe(false);
  });

  test('a long message is refused', async () => {
    const { error } = await logIn('SCRAM-SHA-256', payloadOf(4096, 'x,'.repeat(5_000)));
    expect(String(error)).toMatch(tooLong);
  });
});

describe('Kafka', () => {
  /** The error of a login, and whether the client sent its proof. */
  async function logIn(reply: (nonce: string) => string) {
    const server = await kafkaServer('secret');
    let proved = false;
    server.scram = (message) => {
      proved ||= message.startsWith('c=');
      return message.startsWith('n,') ? reply(nonceOf(message)) : 'e=wrong proof';
    };
    const login = { authentication: true, username: 'ann', password: 'secret', saslMechanism: 'scram-sha-256' };
    try {
      const data = { brokers: `127.0.0.1:${server.port}`, ssl: false, ...login };
      const error = await openKafka(data, ports, signal()).catch((caught: unknown) => caught);
      return { error, proved };
    } finally {
      await server.close();
    }
  }

  test('more than 100,000 iterations are refused', async () => {
    const { error, proved } = await logIn((nonce) => firstMessage(nonce, 100_001));
    expect(String(error)).toMatch(tooMany);
    expect(proved).toBe(false);
  });

  test('100,000 iterations are computed', async () => {
    const { error, proved } = await logIn((nonce) => firstMessage(nonce, 100_000));
    expect(String(error)).toMatch(/wrong proof/);
    expect(proved).toBe(true);
  });

  test('a long message is refused', async () => {
    const { error } = await logIn((nonce) => `${firstMessage(nonce, 4096)}${',v=x'.repeat(5_000)}`);
    expect(String(error)).toMatch(tooLong);
  });
});
