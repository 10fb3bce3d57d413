import { type JsonObject, ownProperty } from '@sluice/domain';
import { type HttpAuthentication, hidingTokens } from '@sluice/node-sdk';
import { CredentialNotSetError } from '../errors.ts';
import type { ContextParts } from './context-parts.ts';
import { withCredentialHint } from './credential-hint.ts';

type Parts = Pick<ContextParts, 'task' | 'frame'>;

/** See `ExecuteContext.credentials`. */
export async function openCredential(parts: Parts, type: string, itemIndex: number): Promise<JsonObject> {
  const { credentials, signal } = parts.frame.request;
  return withCredentialHint(credentials.open(referenceOf(parts, type, itemIndex), signal), itemIndex);
}

/** See `ExecuteContext.authentication`. Secrets that the service issues are hidden, too. */
export async function openAuthentication(parts: Parts, type: string, itemIndex: number): Promise<HttpAuthentication> {
  const { credentials, signal } = parts.frame.request;
  const authenticating = credentials.authentication(referenceOf(parts, type, itemIndex), signal);
  const authentication = await withCredentialHint(authenticating, itemIndex);
  return hidingTokens(authentication, (secret) => credentials.hide(secret));
}

function referenceOf({ task }: Parts, type: string, itemIndex: number): { id: string; type: string } {
  const { node } = task.node;
  const id = ownProperty(node.credentials ?? {}, type)?.id;
  if (typeof id !== 'string' || id === '') throw new CredentialNotSetError(node.name, type, itemIndex);
  return { id, type };
}
