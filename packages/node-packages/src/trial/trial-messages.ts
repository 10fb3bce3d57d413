import type { PackageFolder } from '../find-package-folders.ts';

/** What is to be tried, in this order. */
export interface TrialJob {
  packages: readonly PackageFolder[];
  /** The folder of all packages. */
  root: string;
  timeoutMs: number;
  /** Time for what each package leaves behind to come up, in milliseconds; default 10. */
  aftermathMs?: number;
}

/** What the process of a trial says, as it goes along; packages are called by their path. */
export type TrialMessage =
  | { kind: 'begin'; path: string }
  /** `reason`: it cannot be loaded. */
  | { kind: 'end'; path: string; reason?: string }
  /** The process ends, through that package; `undefined`: nobody knows whose doing it is. */
  | { kind: 'harm'; path: string | undefined; reason: string }
  | { kind: 'done' };
