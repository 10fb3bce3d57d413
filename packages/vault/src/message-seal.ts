import { hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import { keyBytes, type MasterKey } from './master-key.ts';
import { openBox, type SealedBox, sealBox } from './sealed-box.ts';

/**
 * Why a message was refused. `unreadable`: forged, altered, moved, or sealed under a key that the
 * ring lacks.
 */
type MessageRefusal = 'unreadable' | 'replayed' | 'stale';

/**
 * Layout: version (1), key id (8), sender (16), IV (12: sequence number), time sent (8), tag (16),
 * ciphertext.
 */
const version = 1;
const keyIdAt = 1;
const senderAt = 9;
const ivAt = 25;
const sentAt = 37;
const tagAt = 45;
const headBytes = 61;

/** Tolerance for clock differences in milliseconds, as in Standard Webhooks. */
const maxAgeMs = 5 * 60_000;
/** Maximum number of remembered senders; the least recently seen is dropped first. */
const maxSenders = 1_000;

interface Sender {
  key: Buffer;
  /** Sequence number of the newest message. */
  sequence: bigint;
}

interface MessageSealOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Encrypts and authenticates messages between the processes of an installation, over an untrusted
 * broker. AES-256-GCM, bound to the channel: a message that was forged, altered, truncated, moved
 * to another channel, replayed, or delayed by five minutes does not open.
 *
 * Each instance is a sender with its own key, derived by HKDF-SHA-256 (RFC 5869) from the primary
 * master key and a random sender id. The IV is the sequence number of the message. So no IV repeats
 * under a key, regardless of the number of messages. Receivers open messages from senders with any
 * master key of their ring.
 *
 * A receiver refuses a message that is older than one it has already opened from the same sender.
 * All messages of an instance must therefore be sent over one connection, in the order in which
 * they were sealed.
 */
export class MessageSeal {
  readonly #roots: ReadonlyMap<string, Buffer>;
  readonly #now: () => number;
  readonly #ownId = randomBytes(ivAt - senderAt);
  readonly #ownMasterKeyId: Buffer;
  readonly #ownKey: Buffer;
  #sequence = 0n;
  /** By master key and sender id, most recently seen last. */
  readonly #senders = new Map<string, Sender>();

  constructor(keys: KeyRing, { now = Date.now }: MessageSealOptions = {}) {
    this.#now = now;
    this.#roots = new Map(keys.ids.map((id) => [id, rootOf(keys.find(id) as MasterKey)]));
    this.#ownMasterKeyId = Buffer.from(keys.primary.id, 'hex');
    this.#ownKey = senderKey(rootOf(keys.primary), this.#ownId);
  }

  seal(channel: string, text: string): Buffer {
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(version);
    this.#ownMasterKeyId.copy(head, keyIdAt);
    this.#ownId.copy(head, senderAt);
    this.#sequence += 1n;
    head.writeBigUInt64BE(this.#sequence, sentAt - 8);
    head.writeBigUInt64BE(BigInt(this.#now()), sentAt);
    const iv = head.subarray(ivAt, sentAt);
    const { ciphertext, tag } = sealBox(this.#ownKey, Buffer.from(text), boundTo(head, channel), iv);
    tag.copy(head, tagAt);
    return Buffer.concat([head, ciphertext]);
  }

  /** Opens a message once; returns its text. Never throws. */
  open(channel: string, message: Buffer): { text: string } | { refused: MessageRefusal } {
    if (message.length < headBytes || message[0] !== version) return { refused: 'unreadable' };
    const keyId = message.toString('hex', keyIdAt, senderAt);
    const id = `${keyId}:${message.toString('hex', senderAt, ivAt)}`;
    const sender = this.#senders.get(id) ?? this.#meet(keyId, message);
    const text = sender && open(sender.key, message, channel);
    if (!sender || text === undefined) return { refused: 'unreadable' };
    if (Math.abs(this.#now() - Number(message.readBigUInt64BE(sentAt))) > maxAgeMs) return { refused: 'stale' };
    const sequence = message.readBigUInt64BE(sentAt - 8);
    if (sequence <= sender.sequence) return { refused: 'replayed' };
    sender.sequence = sequence;
    this.#remember(id, sender);
    return { text };
  }

  #meet(keyId: string, message: Buffer): Sender | undefined {
    const root = this.#roots.get(keyId);
    return root && { key: senderKey(root, message.subarray(senderAt, ivAt)), sequence: 0n };
  }

  /** Called only for messages that have opened: forged ones displace no sender. */
  #remember(id: string, sender: Sender): void {
    this.#senders.delete(id);
    this.#senders.set(id, sender);
    if (this.#senders.size <= maxSenders) return;
    for (const oldest of this.#senders.keys()) {
      this.#senders.delete(oldest);
      return;
    }
  }
}

function rootOf(masterKey: MasterKey): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey.bytes, '', 'sluice messages v1', keyBytes));
}

function senderKey(root: Buffer, senderId: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', root, senderId, 'sluice message sender v1', keyBytes));
}

/** The head without the tag, and the channel. */
function boundTo(head: Buffer, channel: string): Buffer {
  return Buffer.concat([head.subarray(0, tagAt), Buffer.from(channel)]);
}

function open(key: Buffer, message: Buffer, channel: string): string | undefined {
  const box: SealedBox = {
    iv: message.subarray(ivAt, sentAt),
    tag: message.subarray(tagAt, headBytes),
    ciphertext: message.subarray(headBytes),
  };
  try {
    return openBox(key, box, boundTo(message, channel)).toString();
  } catch {
    return undefined;
  }
}
