/** A code such as `ENOENT`. Does not check the class: the error may come from another realm. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
