import type { PackageFolder } from '../find-package-folders.ts';

/** The packages to try, in this order. */
export interface TrialJob {
  packages: readonly PackageFolder[];
  /** The folder of all packages. */
  root: string;
  timeoutMs: number;
  /** As in `LoadNodePackagesOptions`. */
  prefer?: readonly string[];
  /** Wait after each package for delayed errors, in milliseconds. Default: 10. */
  aftermathMs?: number;
}

/** Messages of a trial process. Packages are identified by their path. */
export type TrialMessage =
  | { kind: 'begin'; path: string }
  /** `reason`: why the package cannot be loaded. */
  | { kind: 'end'; path: string; reason?: string }
  /** The process terminates because of this package; `undefined` if unknown. */
  | { kind: 'harm'; path: string | undefined; reason: string }
  | { kind: 'done' };
