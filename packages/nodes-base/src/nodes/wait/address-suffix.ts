import { isPathSegment, NodeOperationError } from '@sluice/node-sdk';
import { type ParameterSource, textParameter } from '../../shared/parameters.ts';
import { withoutOuterSlashes } from '../../shared/slashes.ts';

/** What the address that is waited at ends with; may be empty. Throws a `NodeOperationError` for what no client could call. */
export function addressSuffix(source: ParameterSource): string {
  const suffix = withoutOuterSlashes(textParameter(source, 'options.webhookSuffix', 0));
  const segments = suffix.split('/');
  if (suffix === '' || (segments.length <= 50 && segments.every(isPathSegment))) return suffix;
  throw new NodeOperationError('the option "webhookSuffix" has to be words between slashes, none of them "." or ".."', {
    description: 'For example approve, or orders/approve',
  });
}
