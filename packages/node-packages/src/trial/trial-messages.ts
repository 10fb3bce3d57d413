import type { PackageFolder } from '../find-package-folders.ts';

/** What is to be tried, in this order. */
export interface TrialJob {
  packages: readonly PackageFolder[];
  /** The folder of all packages. */
  root: string;
  timeoutMs: number;
}

/** What the process of a trial says, as it goes along; packages are called by their path. */
export type TrialMessage =
  | { kind: 'begin'; path: string }
  /** `reason`: it cannot be loaded. */
  | { kind: 'end'; path: string; reason?: string }
  /** An error that nobody has caught; the process ends. */
  | { kind: 'stray'; path: string; reason: string }
  | { kind: 'done' };
