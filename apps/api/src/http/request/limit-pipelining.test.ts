import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { limitPipelining, maxPipelined, stopParsingWhenClosed } from './limit-pipelining.ts';

const due: ServerResponse[] = [];
let parsed = 0;
class CountedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  constructor(request: Request) {
    super(request);
    parsed += 1;
  }
}
const server = createServer(
  { ServerResponse: CountedResponse },
  limitPipelining((_, response) => void due.push(response)),
).on('connection', stopParsingWhenClosed);
await once(server.listen(0, '127.0.0.1'), 'listening');
beforeEach(() => {
  due.length = 0;
  parsed = 0;
});
afterAll(() => server.close().closeAllConnections());

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('of thousands of pipelined requests, few are parsed and handled, and the connection closes', async () => {
  const socket = open();
  socket.write(get.repeat(5_000));
  await new Promise((resolve) => socket.resume().once('close', resolve));
  expect(due).toHaveLength(maxPipelined);
  expect(parsed).toBe(maxPipelined + 1);
});

test('a few pipelined requests get their responses, in order, and later ones do as well', async () => {
  const socket = open();
  const received = text(socket);
  for (const round of [0, 1, 2]) {
    socket.write(get.repeat(maxPipelined));
    await eventually(() => due.length === maxPipelined);
    const responses = due.splice(0);
    await Promise.all(responses.map((response, index) => once(response.end(`[${round * maxPipelined + index}]`), 'close')));
  }
  socket.end();
  const bodies = [...(await received).matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  expect(bodies).toEqual(Array.from({ length: 3 * maxPipelined }, (_, index) => index));
});
