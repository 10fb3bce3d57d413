import { createHash, createHmac, createSign, getHashes, type Hash, type Hmac } from 'node:crypto';
import { errorMessage, NodeOperationError } from '@sluice/node-sdk';
import { openBinary } from '../../shared/binary-files.ts';
import { booleanParameter, choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { pem } from '../../shared/pem.ts';
import { type CryptoInput, textOf } from './crypto-input.ts';

export const hashNames = ['MD5', 'SHA256', 'SHA3-256', 'SHA3-384', 'SHA3-512', 'SHA384', 'SHA512'] as const;
const encodings = ['base64', 'hex'] as const;

export function hash(input: CryptoInput): Promise<string> {
  return digest(input, createHash(hashName(input)));
}

export function hmac(input: CryptoInput, secret: string): Promise<string> {
  return digest(input, createHmac(hashName(input), secret));
}

/** Signs with a private key in PEM. The error for an unusable key does not reveal the key. */
export function sign(input: CryptoInput, privateKey: string): string {
  const { context, itemIndex } = input;
  const algorithm = requiredText(context, 'algorithm', itemIndex);
  if (!getHashes().includes(algorithm)) {
    throw new NodeOperationError(`the parameter "algorithm" is not known: ${algorithm}`, {
      itemIndex,
      description: 'Use RSA-SHA256, for example',
    });
  }
  const text = textOf(input);
  try {
    return createSign(algorithm).update(text).sign(pem(privateKey), encoding(input));
  } catch (error) {
    throw new NodeOperationError(`the value cannot be signed: ${errorMessage(error)}`, {
      itemIndex,
      description: 'The private key must be in PEM, and of the type that the algorithm requires',
    });
  }
}

function hashName({ context, itemIndex }: CryptoInput): string {
  return choiceParameter(context, 'type', itemIndex, hashNames, context.typeVersion < 2 ? 'MD5' : 'SHA256');
}

function encoding({ context, itemIndex }: CryptoInput): 'base64' | 'hex' {
  return choiceParameter(context, 'encoding', itemIndex, encodings, 'hex');
}

/** Digest of a string or a file; files are streamed, never held in memory. */
async function digest(input: CryptoInput, digester: Hash | Hmac): Promise<string> {
  const { context, itemIndex } = input;
  if (!booleanParameter(context, 'binaryData', itemIndex, false)) {
    return digester.update(textOf(input)).digest(encoding(input));
  }
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data').trim() || 'data';
  for await (const chunk of await openBinary(context, itemIndex, property)) digester.update(chunk);
  return digester.digest(encoding(input));
}
