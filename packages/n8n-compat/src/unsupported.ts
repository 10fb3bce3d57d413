import { NodeOperationError } from '@sluice/node-sdk';

/** Functions of another kind of service. Calling one throws; checking for its presence does not. */
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
