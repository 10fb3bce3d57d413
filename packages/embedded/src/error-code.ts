/** `ENOENT` and the like. Not by class: the error may come from another realm than ours. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
