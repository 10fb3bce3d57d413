// Sends data that no real server does: secrets in messages, other protocols.
import { createServer } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** A server for a line protocol: it sends a greeting and replies to each line. */
export function lineServer(greeting: string, answer: (line: string) => string): Promise<LoopbackServer> {
  const server = createServer((socket) => {
    let rest = '';
    socket.write(`${greeting}\r\n`);
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) socket.write(`${answer(line)}\r\n`);
    });
  });
  return listening(server);
}
