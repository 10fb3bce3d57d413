import { createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { realPorts } from '../testing/credential-ports.ts';
import { createSmtpTransport } from './smtp-client.ts';

/** Accepts a login, then sends blank replies indefinitely. */
function serve(socket: Socket): void {
  const replies = Buffer.from(`${' '.repeat(1_023)}\n`.repeat(64));
  const flood = () => {
    while (!socket.destroyed && socket.write(replies));
    socket.once('drain', flood);
  };
  socket.on('error', () => undefined);
  socket.write('220 ready\r\n');
  socket.on('data', (line: Buffer) => {
    const verb = line.subarray(0, 4).toString();
    if (verb === 'MAIL') flood();
    else socket.write(verb === 'AUTH' ? '235 welcome\r\n' : '250 AUTH PLAIN\r\n');
  });
}

test('a server that sends endless replies after the login loses its connection', async () => {
  const server = await listening(createServer(serve));
  const ports = realPorts();
  const data = { host: '127.0.0.1', port: server.port, secure: false, user: 'ann', password: 'secret' };
  const transport = await createSmtpTransport(data, ports, AbortSignal.timeout(60_000));
  const sending = transport.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'hello' });
  await expect(sending).rejects.toThrow(/sent too much data/);
  await ports.close();
  await server.close();
});
