import { NodeOperationError } from '@sluice/node-sdk';

/** Functions that a service of another kind has. Calling one throws; to look whether it is there is no error. */
export function unsupportedFunctions(names: readonly string[], prefix: string): Record<string, () => never> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        throw new NodeOperationError(`${prefix}${name} is not offered to packages of the community`, {}, 'NOT_SUPPORTED');
      },
    ]),
  );
}
