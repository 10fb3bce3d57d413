/** Functions of this package that tests of node types in other packages use. */
export * from './fake-context.ts';
export * from './http-server.ts';
export * from './memory-binary.ts';
export type { NodeExample } from './node-example.ts';
export { thrownErrors } from './thrown-errors.ts';
export { unnoticedValues } from './unnoticed-values.ts';
