import { createHash, createHmac, createSign, getHashes } from 'node:crypto';
import { type ExecuteContext, errorMessage, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, requiredText, textParameter, unsupported } from '../../shared/parameters.ts';

export const hashNames = ['MD5', 'SHA256', 'SHA3-256', 'SHA3-384', 'SHA3-512', 'SHA384', 'SHA512'] as const;
export const encodings = ['base64', 'hex'] as const;

/** What hashing and signing take from the node: parameters, and a secret from parameters or a credential. */
export interface DigestInput {
  context: ExecuteContext;
  itemIndex: number;
}

export function hash(input: DigestInput): string {
  return createHash(hashName(input)).update(hashedValue(input)).digest(encoding(input));
}

export function hmac(input: DigestInput, secret: string): string {
  return createHmac(hashName(input), secret).update(hashedValue(input)).digest(encoding(input));
}

/** Signs with a private key in PEM. The error of a key that cannot be used says nothing of the key. */
export function sign(input: DigestInput, privateKey: string): string {
  const { context, itemIndex } = input;
  const algorithm = requiredText(context, 'algorithm', itemIndex);
  if (!getHashes().includes(algorithm)) {
    throw new NodeOperationError(`the parameter "algorithm" is not known: ${algorithm}`, {
      itemIndex,
      description: 'Use RSA-SHA256, for example',
    });
  }
  try {
    return createSign(algorithm)
      .update(textParameter(context, 'value', itemIndex))
      .sign(privateKey, encoding(input));
  } catch (error) {
    throw new NodeOperationError(`the value cannot be signed: ${errorMessage(error)}`, {
      itemIndex,
      description: 'The private key has to be in PEM, and of the kind that the algorithm asks for',
    });
  }
}

function hashName({ context, itemIndex }: DigestInput): string {
  return choiceParameter(context, 'type', itemIndex, hashNames, context.typeVersion < 2 ? 'MD5' : 'SHA256');
}

function encoding({ context, itemIndex }: DigestInput): 'base64' | 'hex' {
  return choiceParameter(context, 'encoding', itemIndex, encodings, 'hex');
}

function hashedValue({ context, itemIndex }: DigestInput): string {
  if (context.parameter('binaryData', itemIndex) === true) {
    throw unsupported('the hash of a file', 'Hash a field of the item', itemIndex);
  }
  return textParameter(context, 'value', itemIndex);
}
