import { afterAll, describe, expect, test } from '@jest/globals';
import { realPorts } from '../testing/credential-ports.ts';
import { scriptedServer } from '../testing/flooding-servers.ts';
import { openRedis } from './redis-client.ts';
import { RedisLengths } from './redis-lengths.ts';

const ports = realPorts();
afterAll(() => ports.close());

/** Reads replies in pieces of the given size. */
function read(replies: string, size = replies.length): void {
  const lengths = new RedisLengths();
  const bytes = Buffer.from(replies, 'latin1');
  for (let at = 0; at < bytes.length; at += size) lengths.read(bytes.subarray(at, at + size));
}

const replies = [
  '+OK\r\n-ERR no\r\n:-12\r\n(123\r\n,1.5e3\r\n,nan\r\n,-inf\r\n_\r\n#t\r\n',
  '$-1\r\n*-1\r\n$0\r\n\r\n$5\r\n*9\r\nx\r\n!3\r\nERR\r\n=7\r\ntxt:abc\r\n',
  '*0\r\n*2\r\n*1\r\n+a\r\n~1\r\n:1\r\n%2\r\n+a\r\n:1\r\n$1\r\nb\r\n*0\r\n>2\r\n+message\r\n_\r\n',
].join('');

describe('the reply check', () => {
  test.each([1, 2, 3, 7, 1_000])('follows every type of value in chunks of %d bytes', (size) => {
    expect(() => read(replies + replies, size)).not.toThrow();
    expect(() => read(`${replies}*1000001\r\n`, size)).toThrow('more than 1000000 elements');
  });

  test('counts only incomplete replies and incomplete parts of replies', () => {
    const half = `*500000\r\n${'_\r\n'.repeat(500_000)}`;
    expect(() => read(half.repeat(3))).not.toThrow();
    expect(() => read(`*2\r\n${half.repeat(2)}`)).not.toThrow();
  });

  test.each([
    ['arrays in arrays', '*400000\r\n*400000\r\n*400000\r\n', 'more than 1000000 elements'],
    ['maps, of two elements each', '%500001\r\n', 'more than 1000000 elements'],
    ['deep nesting', '*1\r\n'.repeat(101), 'nested more than 100 levels deep'],
    ['a number that the library partly skips', ',nXXXX*1000001\r\n', 'does not speak the Redis protocol'],
    ['a null that the library partly skips', '_XX\r\n', 'does not speak the Redis protocol'],
    ['a negative length', '~-1\r\n', 'does not speak the Redis protocol'],
    ['a length that is not a number', '*1e9\r\n', 'does not speak the Redis protocol'],
    ['a long number', `(${'1'.repeat(1_001)}`, 'does not speak the Redis protocol'],
    ['an unknown type', 'HTTP/1.1 200 OK\r\n', 'does not speak the Redis protocol'],
  ])('refuses %s', (_kind, reply, message) => {
    for (const size of [1, 5, reply.length]) expect(() => read(reply, size)).toThrow(message);
  });
});

describe('a client', () => {
  async function answered<T>(reply: string, run: (client: Awaited<ReturnType<typeof openRedis>>) => Promise<T>): Promise<T> {
    let isLoggedIn = false;
    const server = await scriptedServer((packet) =>
      Buffer.from(isLoggedIn ? reply : '+OK\r\n'.repeat(packet.toString().split('*').length - 1)),
    );
    const client = await openRedis({ host: '127.0.0.1', port: server.port }, ports, AbortSignal.timeout(30_000));
    isLoggedIn = true;
    try {
      return await run(client);
    } finally {
      client.disconnect();
      await server.close();
    }
  }

  test('reads a list of 500,000 values', async () => {
    const values = await answered(`*500000\r\n${'$5\r\nhello\r\n'.repeat(500_000)}`, (client) => client.lrange('list', 0, -1));
    expect(values).toHaveLength(500_000);
    expect(values.at(-1)).toBe('hello');
  });

  test('reports a reply that declares too many elements', async () => {
    const reply = answered('*30000000\r\n'.repeat(20), (client) => client.get('key'));
    await expect(reply).rejects.toThrow('a server reply has more than 1000000 elements');
  });
});
