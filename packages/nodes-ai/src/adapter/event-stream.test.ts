import { expect, test } from '@jest/globals';
import { frame } from '../testing/bedrock-format.ts';
import { maxMessageBytes, streamMessages } from './event-stream.ts';

const messages = [
  frame({ ':message-type': 'event', ':event-type': 'a' }, { n: 1 }),
  frame({}, {}),
  frame({ ':message-type': 'event', ':event-type': 'ü' }, { text: 'x'.repeat(1_000) }),
];

async function read(bytes: Buffer, pieceLength = bytes.length) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  }
  const decoded: { headers: object; text: string }[] = [];
  for await (const { headers, payload } of streamMessages(pieces()))
    decoded.push({ headers: Object.fromEntries(headers), text: Buffer.from(payload).toString('utf8') });
  return decoded;
}

test.each([1, 2, 11, 13, 64, 100_000])('messages are assembled from chunks of %i bytes', async (pieceLength) => {
  expect(await read(Buffer.concat(messages), pieceLength)).toEqual([
    { headers: { ':message-type': 'event', ':event-type': 'a' }, text: '{"n":1}' },
    { headers: {}, text: '{}' },
    { headers: { ':message-type': 'event', ':event-type': 'ü' }, text: `{"text":"${'x'.repeat(1_000)}"}` },
  ]);
});

test('each flipped byte is detected', async () => {
  const [whole = Buffer.alloc(0)] = messages;
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x20;
    await expect(read(changed)).rejects.toMatchObject({ failure: 'invalidResponse' });
  }
});

test('a stream that ends within a message fails', async () => {
  const [whole = Buffer.alloc(0)] = messages;
  await expect(read(whole.subarray(0, -1))).rejects.toThrow('the provider ended its answer early');
});

test('a message that is too long fails before it arrives', async () => {
  const long = frame({}, { text: 'x'.repeat(maxMessageBytes) });
  await expect(read(long.subarray(0, 12))).rejects.toThrow('more than');
});

test('headers of every type are skipped; an unknown type, or a length beyond the headers, fails', async () => {
  const values = [
    [0],
    [1],
    [2, 9],
    [3, 9, 9],
    [4, 9, 9, 9, 9],
    [5, ...Array(8).fill(9)],
    [6, 0, 2, 9, 9],
    [8, ...Array(8).fill(9)],
  ];
  const before = values.map((value) => Buffer.from([1, 0x61, ...value]));
  const uuid = Buffer.from([1, 0x61, 9, ...Array(16).fill(9)]);
  const text = Buffer.from([1, 0x62, 7, 0, 2, 0x68, 0x69]);
  expect(await read(frame(Buffer.concat([...before, uuid, text]), {}))).toEqual([{ headers: { b: 'hi' }, text: '{}' }]);
  await expect(read(frame(Buffer.from([1, 0x61, 10]), {}))).rejects.toThrow('unknown type');
  await expect(read(frame(Buffer.from([1, 0x61, 7, 0, 200, 0x68]), {}))).rejects.toThrow('cut off');
});
