import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A loopback model server with the Chat Completions API. The name of a model is its number of
 * turns: model `3` calls the tool `Think` twice and then answers. Model `slow` streams its answer
 * for ten seconds. Sends its port to the parent process and, on each message, the maximum number of
 * concurrent streams.
 */
const chunks = 20;
const chunkMs = 500;

interface ChatRequest {
  model: string;
  stream?: boolean;
  messages: readonly { role: string }[];
}

let streams = 0;
let maxStreams = 0;

const server = createServer(async (request, response) => {
  const body = (await json(request)) as ChatRequest;
  const turn = body.messages.filter(({ role }) => role === 'tool').length + 1;
  if (body.model === 'slow') await streamSlowly(response);
  else send(response, body, turn < Number(body.model));
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.(maxStreams));

const toolCall = { id: 'call_1', type: 'function', function: { name: 'Think', arguments: '{"input":"hm"}' } };

function send(response: ServerResponse, { stream = false }: ChatRequest, callsTool: boolean): void {
  const content = callsTool ? null : 'done';
  const finish_reason = callsTool ? 'tool_calls' : 'stop';
  if (!stream) {
    const message = { role: 'assistant', content, ...(callsTool && { tool_calls: [toolCall] }) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason }] }));
    return;
  }
  const delta = { role: 'assistant', content, ...(callsTool && { tool_calls: [{ index: 0, ...toolCall }] }) };
  response.setHeader('content-type', 'text/event-stream');
  response.end(`${event(delta)}${event({}, finish_reason)}data: [DONE]\n\n`);
}

async function streamSlowly(response: ServerResponse): Promise<void> {
  streams += 1;
  maxStreams = Math.max(maxStreams, streams);
  response.setHeader('content-type', 'text/event-stream');
  for (let i = 0; i < chunks; i += 1) {
    response.write(event({ role: 'assistant', content: 'some words of a long answer ' }));
    await delay(chunkMs);
  }
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
  streams -= 1;
}

function event(delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}
