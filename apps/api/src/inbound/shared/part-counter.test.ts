import { expect, test } from '@jest/globals';
import { PartCounter } from './part-counter.ts';

const part = '--B\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n';

test.each<[number, string]>([
  [0, ''],
  [0, '--B--\r\n'],
  [1, `${part}--B--`],
  [1, `before\r\n${part}--B--\r\n${part}`],
  [2, `${part}${part}--B--`],
  [1, `--B\r\n${part}--B--`],
  [0, '--B\r\n\r\n--B--\r\n'],
  [0, '--B\r\n--B--'],
  [1, `${part}--B\r\n\r\n--B--`],
  [1, `${part.replace('x', 'x--B\n--B-B')}--B--`],
  [2, `${part}--B-\r\n\r\n\r\n--B--`],
])('counts %d parts in %j, however it is split into chunks', (count, body) => {
  const bytes = Buffer.from(body);
  for (let size = 1; size <= bytes.length + 1; size += 1) {
    const counter = new PartCounter('B');
    for (let at = 0; at < bytes.length; at += size) counter.take(bytes.subarray(at, at + size));
    expect([size, counter.count]).toEqual([size, count]);
  }
});
