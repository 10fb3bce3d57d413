import { expect, test } from '@jest/globals';
import { type ResponseChunk, UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import type { NumberedChunk } from '@sluice/queue';
import { redactedText, SecretScrubber } from '@sluice/vault';
import { ChunkSender, type ChunkSenderOptions } from './chunk-sender.ts';

const metadata = { nodeId: '', nodeName: 'n', itemIndex: 0, runIndex: 0, timestamp: 0 };
const item = (content: string): ResponseChunk => ({ type: 'item', content, metadata });

function streamTo(publish: ChunkSenderOptions['publish'], { maxBytes = 10_000_000, secret = '' } = {}): ChunkSender {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const scrubber = new SecretScrubber();
  scrubber.add(secret);
  return new ChunkSender({ attempt: 1, publish, scrubber, maxBytes, logger });
}

test('chunks are numbered in order, sent together in one message, and contain no secrets', async () => {
  const messages: (readonly NumberedChunk[])[] = [];
  const stream = streamTo(async (chunks) => void messages.push(chunks), { secret: 'hunter2' });
  await Promise.all([stream.send(item('x')), stream.send(item('hunter2'))]);
  await stream.send(item('c'));
  expect(messages.map((chunks) => chunks.map(({ number }) => number))).toEqual([[0, 1], [2]]);
  expect(messages[0]?.map(({ json }) => JSON.parse(json))).toEqual([item('x'), item(redactedText)]);
});

test('a long chunk keeps its position although it takes longer to redact, and the run ends after it', async () => {
  const sent: [number, string][] = [];
  const stream = streamTo(
    async (chunks) => void sent.push(...chunks.map(({ number, json }): [number, string] => [number, JSON.parse(json).type])),
    { secret: 'hunter2' },
  );
  void Promise.all([stream.send(item('x'.repeat(200_000))), stream.send({ type: 'end', metadata })]);
  await stream.settle();
  expect(sent).toEqual([
    [0, 'item'],
    [1, 'end'],
  ]);
});

test('a secret that is split across the chunks of an item is removed, and nothing else is lost', async () => {
  const sent: ResponseChunk[] = [];
  const keep: ChunkSenderOptions['publish'] = async (chunks) => {
    for (const { json } of chunks) sent.push(JSON.parse(json) as ResponseChunk);
  };
  const stream = streamTo(keep, { secret: 'hunter2' });
  const other = { ...metadata, itemIndex: 1 };
  const end: ResponseChunk = { type: 'end', metadata };
  for (const text of ['It is hun', 'ter', '2. Not hunt', 'ing, but h']) {
    await stream.send(item(text));
    await stream.send({ ...item('unt'), metadata: other });
  }
  await stream.send(end);
  await stream.settle();
  const textOf = (index: number) =>
    sent.flatMap(({ metadata: { itemIndex }, content }) => (itemIndex === index && content) || []).join('');
  expect([textOf(0), textOf(1)]).toEqual([`It is ${redactedText}. Not hunting, but h`, 'unt'.repeat(4)]);
  expect(sent.findLast(({ metadata: { itemIndex } }) => itemIndex === 0)).toEqual(end);
});

test('a lost chunk leaves a gap in the numbering, and the run continues', async () => {
  const numbers: number[] = [];
  let away = true;
  const stream = streamTo(async (chunks) => {
    if (away) throw new UnavailableError('redis cannot be reached');
    numbers.push(...chunks.map(({ number }) => number));
  });
  await stream.send(item('a'));
  away = false;
  await stream.send(item('b'));
  expect(numbers).toEqual([1]);
});

test('a node that does not wait cannot exhaust memory: chunks above the limit are dropped', async () => {
  let sent = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const stream = streamTo(async (chunks) => {
    await gate;
    sent += chunks.length;
  });
  const sending = Array.from({ length: 10 }, () => stream.send(item('x'.repeat(1_000_000))));
  const settled = stream.settle();
  open();
  await Promise.all([...sending, settled]);
  expect(sent).toBe(4);
});

test('a chunk that is too large is rejected', async () => {
  const stream = streamTo(async () => undefined, { maxBytes: 200 });
  await expect(stream.send(item('x'.repeat(200)))).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
});
