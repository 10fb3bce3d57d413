import { type ExecuteContext, isJsonObject, ownProperty } from '@sluice/node-sdk';
import { coercedText, stringOf } from '../../shared/coerced-text.ts';
import { listParameter, wrongParameter } from '../../shared/parameters.ts';

/** `publicRead` in S3's spelling: `public-read`. */
const dashed = (text: string) => text.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
const upper = (text: string) => dashed(text).replaceAll('-', '_').toUpperCase();
const asIs = (text: string) => text;

/** Field of `additionalFields` → header and conversion of the value. */
const headers: ReadonlyMap<string, readonly [header: string, write: (text: string) => string]> = new Map([
  ['acl', ['x-amz-acl', dashed]],
  ['bucketObjectLockEnabled', ['x-amz-bucket-object-lock-enabled', asIs]],
  ['encryptionAwsKmsKeyId', ['x-amz-server-side-encryption-aws-kms-key-id', asIs]],
  ['lockLegalHold', ['x-amz-object-lock-legal-hold', (text) => (text === 'true' ? 'ON' : 'OFF')]],
  ['lockMode', ['x-amz-object-lock-mode', upper]],
  ['lockRetainUntilDate', ['x-amz-object-lock-retain-until-date', asIs]],
  ['metadataDirective', ['x-amz-metadata-directive', upper]],
  ['serverSideEncryption', ['x-amz-server-side-encryption', asIs]],
  ['serverSideEncryptionContext', ['x-amz-server-side-encryption-context', asIs]],
  ['serversideEncryptionCustomerAlgorithm', ['x-amz-server-side-encryption-customer-algorithm', asIs]],
  ['serversideEncryptionCustomerKey', ['x-amz-server-side-encryption-customer-key', asIs]],
  ['serversideEncryptionCustomerKeyMD5', ['x-amz-server-side-encryption-customer-key-md5', asIs]],
  ['storageClass', ['x-amz-storage-class', upper]],
  ['taggingDirective', ['x-amz-tagging-directive', upper]],
]);

/** Headers for an item's additional fields; empty and disabled fields have no header. */
export function fieldHeaders(context: ExecuteContext, itemIndex: number): Record<string, string> {
  const fields = context.parameter('additionalFields', itemIndex);
  if (!isJsonObject(fields)) return {};
  const chosen: Record<string, string> = {};
  for (const [field, [header, write]] of headers) {
    const value = ownProperty(fields, field);
    if (value !== undefined && value !== null && value !== '' && value !== false) chosen[header] = write(stringOf(value));
  }
  if (fields['requesterPays'] === true) chosen['x-amz-request-payer'] = 'requester';
  return chosen;
}

/** Header for a file's tags; empty without tags. */
export function tagHeaders(context: ExecuteContext, itemIndex: number): Record<string, string> {
  const tags = listParameter(context, 'tagsUi.tagsValues', itemIndex);
  const pairs = tags.slice(0, maxTags).map(({ key, value }): [string, string] => [coercedText(key), coercedText(value)]);
  const length = pairs.flat().reduce((sum, text) => sum + text.length, 0);
  if (tags.length > maxTags || length > maxTagLength)
    throw wrongParameter('tagsUi', `a list of at most ${maxTags} tags and ${maxTagLength} characters`, tags, itemIndex);
  return pairs.length > 0 ? { 'x-amz-tagging': new URLSearchParams(pairs).toString() } : {};
}

/** More than S3 accepts (10 tags of up to 384 characters); other services may accept more. */
const maxTags = 1_000;
const maxTagLength = 64 * 1024;
