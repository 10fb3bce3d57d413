import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { realPorts } from '../testing/credential-ports.ts';
import { openMongo } from './mongo-client.ts';

const ports = realPorts();
afterAll(() => ports.close());

const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

test('a connection string that the library refuses leaves no proxy open', async () => {
  const before = servers();
  const data = { connectionString: 'mongodb://ann:correct:horse@db.example/orders' };
  await expect(openMongo(data, ports, new AbortController().signal)).rejects.toThrow('unescaped characters');
  await eventually(() => expect(servers()).toBe(before));
});
