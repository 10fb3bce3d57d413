/** The reason why a package is not loaded. The message follows the package name. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}
