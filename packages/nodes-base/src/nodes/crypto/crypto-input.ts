import { credentialText, type ExecuteContext, isAppError, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { requiredText, textParameter, writtenText } from '../../shared/parameters.ts';

/**
 * Input of an action: an item's parameters and files, and secrets from parameters or a credential.
 */
export interface CryptoInput {
  context: ExecuteContext;
  itemIndex: number;
}

/** A secret that version 1 reads from a parameter, and version 2 from a credential field. */
export async function secretOf(input: CryptoInput, parameter: string, field: string): Promise<string> {
  const { context, itemIndex } = input;
  // A secret may be blank, but not empty.
  if (context.typeVersion < 2) {
    return textParameter(context, parameter, itemIndex) || requiredText(context, parameter, itemIndex);
  }
  return secretField(await credentialOf(input), field);
}

export function credentialOf({ context, itemIndex }: CryptoInput): Promise<JsonObject> {
  return context.credentials('crypto', itemIndex);
}

export function secretField(data: JsonObject, field: string): string {
  return fromCredential(() => credentialText(data, field));
}

/** Adds a hint for the author to a credential error. */
export function fromCredential<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!isAppError(cause)) throw cause;
    const description = 'Fill in the field in the Crypto credential; a key must be in PEM, and an RSA key for encryption';
    throw new NodeOperationError(cause.message, { description, details: cause.details, cause }, cause.code);
  }
}

/**
 * Null is an error: otherwise, an empty result would look like a result for the missing value.
 * Empty text must come from an expression.
 */
export function textOf({ context, itemIndex }: CryptoInput): string {
  const text = writtenText(context, 'value', itemIndex);
  if (text !== undefined) return text;
  throw new NodeOperationError('the parameter "value" must be a string, but is null or missing', {
    itemIndex,
    description: 'Check the expression: the field may be missing. For an empty text, use "" instead',
  });
}
