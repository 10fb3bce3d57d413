import { randomBytes, randomUUID } from 'node:crypto';
import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';

const maxLength = 100_000;

/** Random text: a UUID, or characters of an encoding. */
export function randomText(context: ExecuteContext, itemIndex: number): string {
  const type = choiceParameter(context, 'encodingType', itemIndex, ['ascii', 'base64', 'hex', 'uuid'], 'uuid');
  if (type === 'uuid') return randomUUID();
  const length = Math.floor(numberParameter(context, 'stringLength', itemIndex, 32));
  if (length < 0 || length > maxLength) {
    throw new NodeOperationError(`the parameter "stringLength" must be between 0 and ${maxLength}, but is ${length}`, {
      itemIndex,
      description: 'Use a length in that range; check the result of an expression',
    });
  }
  if (type === 'ascii') return letters(length);
  // Only as many bytes as are shown: a substring keeps the whole string in memory.
  const bytes = Math.ceil(length * (type === 'hex' ? 1 / 2 : 3 / 4));
  return randomBytes(bytes).toString(type).slice(0, length);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Larger byte values would make the first letters more likely. */
const firstUnfair = 256 - (256 % alphabet.length);

function letters(length: number): string {
  const codes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    for (const byte of randomBytes(length - at)) {
      if (byte < firstUnfair) at = codes.writeUInt8(alphabet.charCodeAt(byte % alphabet.length), at);
    }
  }
  return codes.toString('latin1');
}
