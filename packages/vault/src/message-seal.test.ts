import { describe, expect, test } from '@jest/globals';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { MessageSeal } from './message-seal.ts';

const [first, second] = [generateMasterKey(), generateMasterKey()] as const;
const sealOf = (...keys: string[]) => new MessageSeal(KeyRing.parse(keys));
const unreadable = { refused: 'unreadable' };

describe('messages between processes', () => {
  test('can be opened by every process with the master key, and reveal none of their text', () => {
    const message = sealOf(first).seal('p:answered', 'a secret 💧');
    expect(message.includes('secret')).toBe(false);
    expect(sealOf(first).open('p:answered', message)).toEqual({ text: 'a secret 💧' });
    expect(sealOf(first).open('p:answered', message)).toEqual({ text: 'a secret 💧' });
  });

  test('are accepted between all processes in a rotation of the master key, step by step', () => {
    const steps = [[first], [first, second], [second, first], [second]];
    for (const [i, sender] of steps.entries()) {
      for (const receiver of steps.slice(Math.max(0, i - 1), i + 2)) {
        expect(sealOf(...receiver).open('c', sealOf(...sender).seal('c', 'x'))).toEqual({ text: 'x' });
      }
    }
  });

  test('are refused if their sender lacks the master key', () => {
    expect(sealOf(first).open('c', sealOf(second).seal('c', 'x'))).toEqual(unreadable);
    expect(sealOf(first).open('c', Buffer.from('1 2 3\n1 {"response":{}}'))).toEqual(unreadable);
  });

  test('are refused in another channel', () => {
    const message = sealOf(first).seal('p:chunks:1', 'x');
    for (const channel of ['p:chunks:2', 'q:chunks:1', 'p:chunks:', '']) {
      expect(sealOf(first).open(channel, message)).toEqual(unreadable);
    }
  });

  test('are refused if any byte was changed, cut off, or added, and the genuine message is still opened', () => {
    const receiver = sealOf(first);
    const message = sealOf(first).seal('c', 'text');
    for (let at = 0; at < message.length; at += 1) {
      const altered = Buffer.from(message);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(receiver.open('c', altered)).toEqual(unreadable);
      expect(receiver.open('c', message.subarray(0, at))).toEqual(unreadable);
    }
    expect(receiver.open('c', Buffer.concat([message, Buffer.alloc(1)]))).toEqual(unreadable);
    expect(receiver.open('c', message)).toEqual({ text: 'text' });
  });

  test('are opened once, and not after a later message from the same sender', () => {
    const [sender, receiver] = [sealOf(first), sealOf(first)];
    const [one, two, three] = ['1', '2', '3'].map((text) => sender.seal('c', text)) as [Buffer, Buffer, Buffer];
    expect(receiver.open('c', one)).toEqual({ text: '1' });
    expect(receiver.open('c', one)).toEqual({ refused: 'replayed' });
    expect(receiver.open('c', three)).toEqual({ text: '3' });
    expect(receiver.open('c', two)).toEqual({ refused: 'replayed' });
    expect(receiver.open('c', sealOf(first).seal('c', 'of another sender'))).toEqual({ text: 'of another sender' });
  });

  test('are refused after five minutes by a process that has just started', () => {
    let now = 1_700_000_000_000;
    const clock = { now: () => now };
    const keys = KeyRing.parse([first]);
    const message = new MessageSeal(keys, clock).seal('c', 'x');
    const open = () => new MessageSeal(keys, clock).open('c', message);
    now += 299_999;
    expect(open()).toEqual({ text: 'x' });
    now += 2;
    expect(open()).toEqual({ refused: 'stale' });
    now -= 600_002;
    expect(open()).toEqual({ refused: 'stale' });
  });

  test('never share an IV under one key', () => {
    const sender = sealOf(first);
    const heads = Array.from({ length: 100 }, () => sender.seal('c', 'x').subarray(9, 37).toString('hex'));
    const other = sealOf(first).seal('c', 'x').subarray(9, 37).toString('hex');
    expect(new Set([...heads, other]).size).toBe(101);
  });

  test('from forged senders do not displace genuine senders', () => {
    const [sender, receiver] = [sealOf(first), sealOf(first)];
    const message = sender.seal('c', 'x');
    receiver.open('c', message);
    for (let n = 0; n < 1_100; n += 1) {
      const forged = Buffer.from(message);
      forged.writeUInt32BE(n, 9);
      receiver.open('c', forged);
    }
    expect(receiver.open('c', message)).toEqual({ refused: 'replayed' });
  });
});
