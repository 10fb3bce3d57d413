import { isAppError } from '@sluice/domain';

/** Code of an error of a `CredentialSource` → what the author can do about it. */
const hints = new Map([
  ['CREDENTIAL_NOT_FOUND', 'Choose a credential in the node that is there: this one was deleted, or is of another instance.'],
  ['CREDENTIAL_NOT_ACCESSIBLE', "Have the credential shared with the workflow's project, or choose another one in the node."],
  ['CREDENTIAL_UNREADABLE', 'Enter the data of the credential anew.'],
]);

/** What a credential gives; its error says at which item it was asked for, and what the author can do. */
export async function explained<T>(asked: Promise<T>, itemIndex: number): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const description = isAppError(error) ? hints.get(error.code) : undefined;
    if (description !== undefined) Object.assign(error as Error, { description, itemIndex });
    throw error;
  }
}
