/** Why a package is not loaded; the message follows the name of the package. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}
