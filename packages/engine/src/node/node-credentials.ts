import { isAppError, type JsonObject, ownProperty, type WorkflowNode } from '@sluice/domain';
import { type HttpAuthentication, hidingTokens } from '@sluice/node-sdk';
import { CredentialNotSetError } from '../errors.ts';
import type { CredentialProvider } from '../ports.ts';

/** A node that uses its credentials. */
interface CredentialUser {
  readonly node: WorkflowNode;
  readonly credentials: CredentialProvider;
  readonly signal: AbortSignal;
}

/** See `ExecuteContext.credentials`. */
export async function openCredential(user: CredentialUser, type: string, itemIndex: number): Promise<JsonObject> {
  const { credentials, signal } = user;
  return withHint(credentials.open(referenceOf(user, type, itemIndex), signal), itemIndex);
}

/** See `ExecuteContext.authentication`. Secrets that the service issues are hidden, too. */
export async function openAuthentication(user: CredentialUser, type: string, itemIndex: number): Promise<HttpAuthentication> {
  const { credentials, signal } = user;
  const authentication = await withHint(credentials.authentication(referenceOf(user, type, itemIndex), signal), itemIndex);
  return hidingTokens(authentication, (secret) => credentials.hide(secret));
}

function referenceOf({ node }: CredentialUser, type: string, itemIndex: number): { id: string; type: string } {
  const id = ownProperty(node.credentials ?? {}, type)?.id;
  if (typeof id !== 'string' || id === '') throw new CredentialNotSetError(node.name, type, itemIndex);
  return { id, type };
}

/** Error code of a `CredentialProvider` → hint for the author. */
const hints = new Map([
  ['CREDENTIAL_NOT_FOUND', 'Choose an existing credential in the node: this one was deleted or belongs to another instance.'],
  ['CREDENTIAL_NOT_ACCESSIBLE', "Have the credential shared with the workflow's project, or choose another one in the node."],
  ['CREDENTIAL_UNREADABLE', 'Enter the credential data again.'],
]);

/** Adds the item index and a hint for the author to the error of a credential lookup. */
async function withHint<T>(request: Promise<T>, itemIndex: number): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const description = isAppError(error) ? hints.get(error.code) : undefined;
    if (description !== undefined) Object.assign(error as Error, { description, itemIndex });
    throw error;
  }
}
