import { isAppError } from '@sluice/domain';

/** Error code of a `CredentialProvider` → hint for the author. */
const hints = new Map([
  ['CREDENTIAL_NOT_FOUND', 'Choose an existing credential in the node: this one was deleted or belongs to another instance.'],
  ['CREDENTIAL_NOT_ACCESSIBLE', "Have the credential shared with the workflow's project, or choose another one in the node."],
  ['CREDENTIAL_UNREADABLE', 'Enter the credential data again.'],
]);

/** Adds the item index and a hint for the author to the error of a credential lookup. */
export async function withCredentialHint<T>(request: Promise<T>, itemIndex: number): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const description = isAppError(error) ? hints.get(error.code) : undefined;
    if (description !== undefined) Object.assign(error as Error, { description, itemIndex });
    throw error;
  }
}
