import { NodeOperationError } from '@sluice/node-sdk';
import { type ParameterSource, textParameter } from '../../shared/parameters.ts';
import { withoutOuterSlashes } from '../../shared/slashes.ts';

/**
 * Last part of the resume URL; may be empty. Throws a `NodeOperationError` for dot segments:
 * clients would resolve them.
 */
export function addressSuffix(source: ParameterSource): string {
  const suffix = withoutOuterSlashes(textParameter(source, 'options.webhookSuffix', 0));
  const isCallable = suffix.split('/').every((segment) => segment !== '.' && segment !== '..');
  if (isCallable) return suffix;
  throw new NodeOperationError('the option "webhookSuffix" must not have "." or ".." between slashes', {
    description: 'For example approve, or orders/approve',
  });
}
